/** `svc-server gateway`: the machine-wide gateway daemon. */
import { join } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { openGateway } from '../../plugins/index.ts';
import { finish, SvcCommand } from '../base.ts';
import {
  commandInBackground,
  detach,
  detachedFlag,
  launchedFlag,
  reportStart,
  successorFlag,
  takeOver,
} from '../daemon.ts';
import { commandConfig } from '../flags.ts';
import { gatewayFlags, gatewayShort, settings } from '../gateway-flags.ts';
import { beginLife, messagesInBackground } from '../life.ts';
import { assertWritable, writePidFile } from '../pid-file.ts';
import { ownLog } from '../state.ts';

/** Each its own: oclif writes its name into it. */
const hidden = () => Flags.boolean({ hidden: true });

export class Gateway extends SvcCommand {
  static override summary = 'Start the gateway daemon, one address for every running server';
  static override description =
    'Finds the servers of this machine and passes calls on to them; it runs no tool itself. Servers launch it on their own, so that it is seldom started by hand. Nothing goes to stdout, progress goes to stderr. With --json, stdout is exactly one line: {"event":"listening","url","port","pid"}.';
  static override examples = [
    '<%= config.bin %> gateway',
    '<%= config.bin %> gateway --port 9765 --gateway-persist',
    '<%= config.bin %> gateway --daemon --pidfile /run/user/1000/svc-gateway.pid',
  ];
  static override flags = {
    config: Flags.string({ description: 'JSON or YAML file of options', helpValue: '<file>' }),
    daemon: Flags.boolean({ description: 'run detached: return when the gateway answers' }),
    pidfile: Flags.string({
      description: 'as --daemon, with the process id in this file (default: gateway.pid in the registry directory)',
      helpValue: '<file>',
    }),
    [detachedFlag]: hidden(),
    [launchedFlag]: hidden(),
    [successorFlag]: hidden(),
    ...gatewayFlags(),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Gateway);
    const settled = await commandConfig(flags, process.env, settings, undefined, gatewayShort);
    const config = { ...settled, log_file: settled.log_file ?? ownLog(settled.gateway_name ?? 'gateway') };
    const { pidfile } = flags;
    if (!flags.detached && (flags.daemon || pidfile !== undefined)) {
      if (pidfile !== undefined) await assertWritable(pidfile);
      const { pid, port } = await detach('gateway', this.argv);
      if (flags.json) this.print(JSON.stringify({ event: 'detached', port, pid }));
      return;
    }

    const goOn = async (): Promise<{ pid: number }> => {
      const command = commandInBackground('gateway', this.argv);
      return { pid: await gateway.goOn({ command, directory: process.cwd(), stderr: messagesInBackground() }) };
    };
    const life = beginLife({ command: 'gateway', argv: this.argv, insist: () => void finish(5), goOn });
    const taking = flags.successor ? { takeOver } : {};
    const handsOver = flags.detached || flags.launched;
    let forget = async (): Promise<void> => undefined;
    const start = async () => {
      const opened = await openGateway({ config, env: process.env, standalone: true, handsOver, ...taking });
      if (flags.daemon || pidfile) forget = await writePidFile(pidfile ?? join(opened.directory, 'gateway.pid'));
      const name = config.gateway_name ?? 'gateway';
      const { log_file } = config;
      const [url, registry_dir] = [`${opened.origin}/mcp`, opened.directory];
      await life.announce({ kind: 'gateway', name, url, instance_id: null, log_file, registry_dir });
      return opened;
    };
    const gateway = flags.detached || flags.successor ? await reportStart(start) : await start();
    if (flags.json && !flags.detached) {
      const { port, origin } = gateway;
      this.print(JSON.stringify({ event: 'listening', url: `${origin}/mcp`, port, pid: process.pid }));
    }
    void gateway.handedOn.then(life.giveUp);
    await Promise.race([life.asked, gateway.ended]);
    await gateway.close();
    await forget();
    await life.end();
  }
}
