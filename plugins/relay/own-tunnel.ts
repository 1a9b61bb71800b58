/** The tunnel of this process: from its settings, and what the registry knows of the server that it leads to. */
import { type Logger, packageVersion } from '../../kernel/index.ts';
import type { InstanceRow } from '../../schemas/instance.ts';
import { ownToken } from '../../schemas/own-token.ts';
import { type RegisterTunnel, tunnelProtocol } from '../../schemas/tunnel.ts';
import type { RegistryService } from '../instances/registry/api.ts';
import { type AgentParts, createAgent } from './agent.ts';
import { relayErrors } from './errors.ts';
import type { Settings } from './tunnel-config.ts';

export interface OwnTunnelParts {
  config: Settings;
  registry: Pick<RegistryService, 'read'>;
  /** Of a server that is in no registry. */
  instance_id: string;
  onState: AgentParts['onState'];
  log: AgentParts['log'] & Pick<Logger, 'warn'>;
}

const schemes: Readonly<Record<string, readonly string[]>> = {
  tunnel_relay: ['http:', 'https:', 'ws:', 'wss:'],
  tunnel_target: ['http:', 'https:'],
};

/** Throws SVC_RELAY_TARGET_INVALID for an address that is none. */
export function createTunnelOf({ config, registry, instance_id, onState, log }: OwnTunnelParts) {
  const address = (what: 'tunnel_relay' | 'tunnel_target'): URL => {
    const given = config[what] ?? '';
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url && schemes[what]?.includes(url.protocol) && url.username === '' && url.password === '') return url;
    throw relayErrors.TARGET_INVALID({ what, given: given === '' ? 'it is not set' : `"${given}" is none` });
  };
  const [relay, target] = [address('tunnel_relay'), address('tunnel_target')];

  /** The server in the registry of this machine, when it is one of ours. */
  const rowOfTarget = async (): Promise<InstanceRow | undefined> => {
    const { rows } = await registry.read();
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
    const there = rows.filter(each => each.alive !== false && each.row.port === port);
    return there.sort((a, b) => b.row.registered_at - a.row.registered_at)[0]?.row;
  };

  let latest = instance_id;
  return createAgent({
    ...{ relay, target, onState, log, heartbeatSecs: config.heartbeat_secs },
    async token() {
      const token = await ownToken(config.tunnel_token_file, config.tunnel_token);
      if (token === undefined) throw relayErrors.NO_TOKEN();
      return token;
    },
    async register(): Promise<RegisterTunnel> {
      const row = await rowOfTarget();
      const dcc = config.dcc_type ?? row?.dcc_type;
      if (dcc === undefined) throw relayErrors.NO_TYPE({ target: target.origin });
      // While it is away it is the one that it was.
      latest = row?.instance_id ?? latest;
      return {
        protocol_version: tunnelProtocol,
        ...{ dcc, agent_version: packageVersion, capabilities: ['mcp', 'rest'] },
        instance_id: latest,
        adapter_version: config.adapter_version ?? row?.adapter_version ?? null,
        scene: row?.scene ?? null,
      };
    },
  });
}
