/** Diagnostics of the running server as internal tools. */
import { definePlugin } from '../../kernel/index.ts';
import type {} from '../audit/api.ts';
import type {} from '../daemon/guardian/api.ts';
import type {} from '../mcp/api.ts';
import type {} from '../skills/api.ts';
import type {} from '../tools/api.ts';
import { createStatus } from './status.ts';
import { diagnosticsTools } from './tools.ts';

export const diagnosticsPlugin = definePlugin(
  { name: 'diagnostics', dependencies: ['tools', 'audit'], optional: ['mcp', 'skills', 'guardian'] },
  (app, { kernel, scope, optional: { mcp, skills, guardian } }) => {
    const status = createStatus(() => ({
      tools: app.tools.list().length,
      sessions: mcp?.sessions.size ?? null,
      skills_loaded: skills?.loadedCount() ?? null,
    }));
    scope.add('event loop monitor', status.dispose);
    const exposed = async () => (await skills?.exposed()) ?? [];
    const failover = () => guardian?.report();
    const entries = diagnosticsTools({ status, audit: app.audit, logTail: kernel.logTail, failover, exposed });
    scope.add('tools', app.tools.publish('internal:diagnostics', entries, { source: 'internal' }));
  },
);
