/** Tools whose handlers live on the host's main thread. */
import { definePlugin, type Plugin } from '../../kernel/index.ts';
import type { HostRunner } from './api.ts';
import { createHostService } from './registrations.ts';

/** `runner` runs handlers: in place, or across the port of a dedicated server thread. */
export const createHostPlugin = (runner: HostRunner): Plugin =>
  definePlugin({ name: 'host', dependencies: ['tools'] }, (app, { scope }) => {
    app.decorate('host', createHostService(app.tools, runner, scope));
  });
