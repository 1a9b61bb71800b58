/** `svc-server tunnel`: makes a server of this machine reachable through a relay. */
import * as Flags from '@oclif/core/flags';
import { openTunnel, type TunnelConfig, type TunnelState, tunnelSettings } from '../../plugins/index.ts';
import { registryDirectory } from '../../plugins/instances/registry/api.ts';
import { finish, SvcCommand } from '../base.ts';
import { detachedFlag, reportStart } from '../daemon.ts';
import { commandConfig, type ShortNames, shortFlags } from '../flags.ts';
import { beginLife } from '../life.ts';
import { ownLog } from '../state.ts';

const settings = await tunnelSettings();
const short: ShortNames = { tunnel_relay: 'relay', tunnel_target: 'target', tunnel_token_file: 'token-file' };
const names = [
  ...['dcc_type', 'adapter_version', 'registry_dir', 'heartbeat_secs'],
  ...['log_level', 'log_file', 'log_max_bytes', 'terminal_log_level'],
];

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
    [detachedFlag]: Flags.boolean({ hidden: true }),
    ...shortFlags(settings, short, names),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Tunnel);
    const settled = await commandConfig(flags, process.env, settings, undefined, short);
    const config = { ...settled, log_file: settled.log_file ?? ownLog('tunnel') };
    const life = beginLife({ command: 'tunnel', argv: this.argv, insist: () => void finish(5) });
    let begin: () => void = () => undefined;
    const begun = new Promise<void>(resolve => {
      begin = resolve;
    });
    let standing: TunnelState | undefined;
    const onState = (state: TunnelState): void => {
      // From now on it is there, whether its relay is or not.
      if (!standing) void life.announce(aboutTunnel(config), async () => healthOf(standing));
      standing = state;
      if (state.state !== 'connecting') begin();
    };
    const opening = openTunnel({ config, env: process.env, onState });
    const asked = life.asked.then(() => undefined);
    if (flags.detached) await reportStart(() => Promise.race([opening, begun]).then(() => ({ port: 0 })));
    const tunnel = await Promise.race([opening, asked]);
    if (tunnel) {
      const { tunnel_id, public_url: url } = tunnel;
      if (flags.json && !flags.detached) {
        this.print(JSON.stringify({ event: 'connected', tunnel_id, url, pid: process.pid }));
      }
      await asked;
      await tunnel.close();
    }
    await life.end();
    // Asked to stop while the relay was waited for.
    if (!tunnel) await finish(0);
  }
}

const aboutTunnel = ({ tunnel_target: url, log_file, registry_dir }: TunnelConfig & { log_file: string | null }) => ({
  ...({ kind: 'tunnel', name: 'tunnel', instance_id: null } as const),
  ...{ url, log_file, registry_dir: registryDirectory(registry_dir) },
});

/** How it stands with its relay, and where its server is reached there. */
function healthOf(standing: TunnelState | undefined) {
  const { opened, ...relay } = standing ?? {};
  return { ok: true, relay, ...opened };
}
