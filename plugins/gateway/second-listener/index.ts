/** The gateway's second listener, for tunnels. The last plugin: when the others have drained, it waits for what is left. */
import { definePlugin } from '../../../kernel/index.ts';
import type {} from '../../guard/api.ts';
import type {} from '../../listener/api.ts';
import { settings } from './config.ts';

export const secondListenerPlugin = definePlugin(
  { name: 'second-listener', config: settings, dependencies: ['listener', 'guard'] },
  (app, { config }) => {
    if (config.gateway_remote_port === 0) return;
    app.guard.mayListen(config.gateway_remote_host);
    const drained = app.listener.also(config.gateway_remote_host, config.gateway_remote_port);
    app.addHook('preClose', drained);
  },
);
