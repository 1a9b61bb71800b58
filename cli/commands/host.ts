/** `svc-server host`: the server of an application that has no Node in it, started by its add-on; and the add-ons. */
import { join } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { isBuilt, packageRoot } from '../../kernel/index.ts';
import { serveHost } from '../../plugins/host-link/api.ts';
import { createServer, serverSettings } from '../../plugins/index.ts';
import { finish, SvcCommand } from '../base.ts';
import { cliErrors } from '../errors.ts';
import { commandConfig } from '../flags.ts';
import { onStopSignal } from '../signals.ts';
import { ownLog } from '../state.ts';

export class Host extends SvcCommand {
  static override summary = 'Serve an application that embeds Python, or install its add-on';
  static override description =
    'With --stdio it is what an add-on starts: it talks with svc_host.py over its standard streams and ends with them. The guide of adapters stands in plugins/host-link/README.md.';
  static override examples = ['<%= config.bin %> host --stdio'];
  static override flags = {
    config: Flags.string({ description: 'JSON or YAML file of options of the server', helpValue: '<file>' }),
    stdio: Flags.boolean({ description: 'serve the host at the other end of the standard streams' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Host);
    if (!flags.stdio) throw cliErrors.FLAG_INVALID({ flag: '--stdio', reason: 'it is what add-ons start this with' });
    const { plugins, ...settled } = await commandConfig(flags, process.env, await serverSettings(), given =>
      given('terminal_log_level') ? {} : { terminal_log_level: 'warn' },
    );
    const asked = new Promise<string>(resolve => {
      onStopSignal(
        () => resolve('the server was asked to stop'),
        () => void finish(5),
      );
    });
    const code = await serveHost({
      make: options => {
        const config = { log_file: settled.log_file ?? ownLog(String(options.dcc_type)), ...options };
        return createServer({ ...settled, ...config }, { env: process.env, plugins });
      },
      mostWaiting: settled.host_queue_max,
      helpers: join(packageRoot, ...(isBuilt ? ['dist'] : ['plugins', 'skills']), 'helpers'),
      input: process.stdin,
      output: process.stdout,
      asked,
    });
    await finish(code);
  }
}
