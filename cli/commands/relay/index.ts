/** `svc-server relay`: where servers that nobody can reach are reached through the tunnels that they open. */
import * as Flags from '@oclif/core/flags';
import { makeRelayKey, openRelay } from '../../../plugins/index.ts';
import { finish, SvcCommand } from '../../base.ts';
import { detachedFlag, reportStart } from '../../daemon.ts';
import { commandConfig } from '../../flags.ts';
import { beginLife } from '../../life.ts';
import { relayFlags, relayKey, relayShort, settings } from '../../relay-flags.ts';
import { ownLog } from '../../state.ts';

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
    [detachedFlag]: Flags.boolean({ hidden: true }),
    ...relayFlags(),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Relay);
    const settled = await commandConfig(flags, process.env, settings, undefined, relayShort);
    const key = await relayKey(settled.relay_key_file, makeRelayKey);
    const config = { ...settled, relay_key_file: key, log_file: settled.log_file ?? ownLog('relay') };
    const life = beginLife({ command: 'relay', argv: this.argv, insist: () => void finish(5) });
    const start = async () => {
      const relay = await openRelay({ config, env: process.env });
      const { origin: url, tunnels } = relay;
      const said = { kind: 'relay', name: 'relay', url, instance_id: null, log_file: config.log_file } as const;
      await life.announce(said, async () => ({ ok: true, tunnels: tunnels() }));
      return relay;
    };
    const relay = flags.detached ? await reportStart(start) : await start();
    const { port, origin: url } = relay;
    if (flags.json && !flags.detached) {
      this.print(JSON.stringify({ event: 'listening', url, port, pid: process.pid }));
    }
    await life.asked;
    await relay.close();
    await life.end();
  }
}
