/** The mDNS discovery source of the gateway; off unless it is asked for. */
import { definePlugin } from '../../../../kernel/index.ts';
import type {} from '../../api.ts';

export const discoveryMdnsPlugin = definePlugin(
  { name: 'discovery-mdns', dependencies: ['instances'] },
  (app, { config, scope, log }) => {
    if (!config.gateway_discover_mdns) return;
    app.addHook('onListen', async () => {
      const { followMdns } = await import('./mdns-source.ts');
      const intervalMs = (config.heartbeat_secs || 5) * 1000;
      scope.add('browser', await followMdns({ source: app.instances.source('mdns'), intervalMs, log }));
    });
  },
);
