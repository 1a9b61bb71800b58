/** `svc-server relay`: where servers that nobody can reach are reached through the tunnels that they open. */
import * as Flags from '@oclif/core/flags';
import { makeRelayKey, openRelay, relaySettings } from '../../../plugins/index.ts';
import { finish, SvcCommand } from '../../base.ts';
import { commandConfig, configFlags } from '../../flags.ts';
import { beginLife } from '../../life.ts';
import { relayFlags, relayKey, relayOptions } from '../../relay-flags.ts';
import { ownLog } from '../../state.ts';

const settings = await relaySettings();

export class Relay extends SvcCommand {
  static override summary = 'Start a relay for servers behind NAT or a firewall';
  static override description =
    'Takes tunnels at /connect (svc-server tunnel), lists them at /tunnels, and passes what comes to /tunnel/<tunnel_id>/… on to their servers. A gateway finds them by its option --relay-source. Tunnels need a token (svc-server relay token). It speaks no TLS itself: put a proxy that does before it. Nothing goes to stdout; with --json, exactly one line: {"event":"listening","url","port","pid"}.';
  static override examples = [
    '<%= config.bin %> relay',
    '<%= config.bin %> relay --port 9870 --public-url https://relay.example',
  ];
  static override flags = {
    config: Flags.string({ description: 'JSON or YAML file of options', helpValue: '<file>' }),
    ...relayFlags,
    'public-url': Flags.string({ description: 'address that tunnels are told: relay_public_url', helpValue: '<url>' }),
    ...configFlags(settings, ['host', 'port', 'relay_max_tunnels', 'heartbeat_secs', 'max_request_body_bytes']),
    ...configFlags(settings, ['auth_tokens_file', 'insecure_bind', 'allowed_hosts', 'xff_trusted_depth']),
    ...configFlags(settings, ['log_level', 'log_file', 'log_max_bytes', 'terminal_log_level']),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Relay);
    const settled = await commandConfig(relayOptions(flags), process.env, settings);
    const key = await relayKey(settled.relay_key_file, makeRelayKey);
    const config = { ...settled, relay_key_file: key, log_file: settled.log_file ?? ownLog('relay') };
    const life = beginLife({ argv: this.argv, insist: () => void finish(5) });
    const relay = await openRelay({ config, env: process.env });
    const { port, origin: url } = relay;
    if (flags.json) this.print(JSON.stringify({ event: 'listening', url, port, pid: process.pid }));
    await life.asked;
    await relay.close();
    await life.end();
  }
}
