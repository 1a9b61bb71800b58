/** The relay discovery source: instances that reach the gateway through tunnels of a relay. */
import { definePlugin, kernelErrors } from '../../../../kernel/index.ts';
import { ownToken } from '../../../../schemas/own-token.ts';
import type {} from '../../../health/api.ts';
import type {} from '../../api.ts';
import { settings } from './config.ts';
import { followRelay, type RelayTrouble, relayAddress } from './relay-source.ts';

export const discoveryRelayPlugin = definePlugin(
  { name: 'discovery-relay', config: settings, dependencies: ['instances', 'health'] },
  (app, { config, scope, log }) => {
    const relays = config.gateway_relay_sources.map(text => {
      const relay = relayAddress(text);
      if (relay) return relay;
      const reason = `"${text}" is no ADMIN=PUBLIC pair of http addresses`;
      throw kernelErrors.CONFIG_INVALID({ source: 'gateway_relay_sources', reason, option: 'gateway_relay_sources' });
    });
    const token = () => ownToken(config.gateway_relay_token_file, null);
    const intervalMs = app.instances.refreshMs;
    const troubles = new Map<string, RelayTrouble | undefined>(relays.map(each => [each.admin, undefined]));
    // Which of them is not for everybody to hear: it stands in the log.
    const state = () => {
      const [kind, ...more] = [...troubles.values()].filter(each => each !== undefined);
      const unread = kind === undefined ? 0 : 1 + more.length;
      const known = unread === 0 ? 'ok' : unread < relays.length ? 'degraded' : 'unavailable';
      return { state: known, sources: relays.length, unread, last_error_kind: kind ?? null };
    };
    if (relays.length > 0) scope.add('health', app.health.add('relay_sources', state));
    app.addHook('onListen', async () => {
      const source = app.instances.source('relay');
      for (const relay of relays) {
        const onPoll = (trouble: RelayTrouble | undefined): void => void troubles.set(relay.admin, trouble);
        scope.add(relay.admin, followRelay({ relay, source, intervalMs, token, onPoll, log }));
      }
    });
  },
);
