/** `svc-server tunnel`: makes a server of this machine reachable through a relay. */
import * as Flags from '@oclif/core/flags';
import { openTunnel, tunnelSettings } from '../../plugins/index.ts';
import { finish, SvcCommand } from '../base.ts';
import { commandConfig, configFlags } from '../flags.ts';
import { beginLife } from '../life.ts';
import { ownLog } from '../state.ts';

const settings = await tunnelSettings();

export class Tunnel extends SvcCommand {
  static override summary = 'Open a tunnel from a relay to a server of this machine';
  static override description =
    'Dials out, so that no port needs to be open on this side, and dials again when the connection is lost. Only the one server that it names is reached through it. Nothing goes to stdout; with --json, exactly one line once it is connected: {"event":"connected","tunnel_id","url","pid"}.';
  static override examples = [
    '<%= config.bin %> tunnel --relay https://relay.example --token-file studio-a.token',
    '<%= config.bin %> tunnel --relay https://relay.example --token-file a.token --target http://127.0.0.1:8765 --dcc-type maya',
  ];
  static override flags = {
    config: Flags.string({ description: 'JSON or YAML file of options', helpValue: '<file>' }),
    relay: Flags.string({ description: 'address of the relay: tunnel_relay', helpValue: '<url>' }),
    target: Flags.string({ description: 'the server that it leads to: tunnel_target', helpValue: '<url>' }),
    'token-file': Flags.string({
      description: 'file with the token: tunnel_token_file (or the token itself in SVC_TUNNEL_TOKEN)',
      helpValue: '<file>',
    }),
    ...configFlags(settings, ['dcc_type', 'adapter_version', 'registry_dir', 'heartbeat_secs']),
    ...configFlags(settings, ['log_level', 'log_file', 'log_max_bytes', 'terminal_log_level']),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Tunnel);
    const renamed = {
      ...flags,
      'tunnel-relay': flags.relay,
      'tunnel-target': flags.target,
      'tunnel-token-file': flags['token-file'],
    };
    const settled = await commandConfig(renamed, process.env, settings);
    const config = { ...settled, log_file: settled.log_file ?? ownLog('tunnel') };
    const life = beginLife({ argv: this.argv, insist: () => void finish(5) });
    const opening = openTunnel({ config, env: process.env });
    const asked = life.asked.then(() => undefined);
    const tunnel = await Promise.race([opening, asked]);
    // Asked to stop while the relay was waited for.
    if (!tunnel) await finish(0);
    else {
      const { tunnel_id, public_url: url } = tunnel;
      if (flags.json) this.print(JSON.stringify({ event: 'connected', tunnel_id, url, pid: process.pid }));
      await asked;
      await tunnel.close();
    }
    await life.end();
  }
}
