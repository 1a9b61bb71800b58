/** The mDNS discovery source of the gateway; off unless it is asked for. */
import { definePlugin } from '../../../../kernel/index.ts';
import type {} from '../../api.ts';
import { settings } from './config.ts';

export const discoveryMdnsPlugin = definePlugin(
  { name: 'discovery-mdns', config: settings, dependencies: ['instances'] },
  (app, { config, scope, log }) => {
    if (!config.gateway_discover_mdns) return;
    app.addHook('onListen', async () => {
      const { followMdns } = await import('./mdns-source.ts');
      const intervalMs = app.instances.refreshMs;
      scope.add('browser', await followMdns({ source: app.instances.source('mdns'), intervalMs, log }));
    });
  },
);
