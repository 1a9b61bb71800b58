/** The relay discovery source: instances that reach the gateway through tunnels of a relay. */
import { definePlugin, kernelErrors } from '../../../../kernel/index.ts';
import { ownToken } from '../../../../schemas/own-token.ts';
import type {} from '../../api.ts';
import { settings } from './config.ts';
import { followRelay, relayAddress } from './relay-source.ts';

export const discoveryRelayPlugin = definePlugin(
  { name: 'discovery-relay', config: settings, dependencies: ['instances'] },
  (app, { config, scope, log }) => {
    const relays = config.gateway_relay_sources.map(text => {
      const relay = relayAddress(text);
      if (relay) return relay;
      const reason = `"${text}" is no ADMIN=PUBLIC pair of http addresses`;
      throw kernelErrors.CONFIG_INVALID({ source: 'gateway_relay_sources', reason, option: 'gateway_relay_sources' });
    });
    const token = () => ownToken(config.gateway_relay_token_file, null);
    const intervalMs = app.instances.refreshMs;
    app.addHook('onListen', async () => {
      const source = app.instances.source('relay');
      for (const relay of relays) scope.add(relay.admin, followRelay({ relay, source, intervalMs, token, log }));
    });
  },
);
