/** `svc-server host`: the server of an application that has no Node in it, started by its add-on; and the add-ons. */
import { join } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { isBuilt, packageRoot } from '../../kernel/index.ts';
import { type HostKind, hostKinds, installHost, serveHost } from '../../plugins/host-link/api.ts';
import { createServer, serverSettings } from '../../plugins/index.ts';
import { finish, SvcCommand } from '../base.ts';
import { cliErrors } from '../errors.ts';
import { commandConfig } from '../flags.ts';
import { onStopSignal } from '../signals.ts';
import { ownLog } from '../state.ts';

type InstallFlags = { to?: string | undefined; zip?: string | undefined; fat: boolean; json?: boolean | undefined };

/** What is to be done with what was written. */
const next: Record<HostKind, string> = {
  blender: 'Enable "svc" in the preferences of Blender, under Add-ons.',
  freecad: 'FreeCAD starts it with its window.',
  python: 'Import svc_host from there, call start(), and pump() again and again on the main thread.',
};
const nextOfZip: Record<HostKind, string> = {
  blender: 'Install it from the preferences of Blender, under Add-ons.',
  freecad: 'Unpack it into the folder "Mod" of FreeCAD.',
  python: 'Install it into the Python of the application (pip install).',
};

export class Host extends SvcCommand {
  static override summary = 'Serve an application that embeds Python, or install its add-on';
  static override description =
    'With --stdio it is what an add-on starts: it talks with svc_host.py over its standard streams and ends with them. The guide of adapters stands in plugins/host-link/README.md.';
  static override examples = [
    '<%= config.bin %> host --install blender',
    '<%= config.bin %> host --install blender --zip svc-blender.zip --fat',
    '<%= config.bin %> host --install python --zip svc_host-0.1.0-py3-none-any.whl',
  ];
  static override flags = {
    config: Flags.string({ description: 'JSON or YAML file of options of the server', helpValue: '<file>' }),
    stdio: Flags.boolean({ description: 'serve the host at the other end of the standard streams' }),
    install: Flags.string({ description: 'write the add-on of an application', options: [...hostKinds] }),
    to: Flags.string({ description: 'its folder of add-ons; default: where it looks', dependsOn: ['install'] }),
    zip: Flags.string({ description: 'a zip (of python a wheel) instead', dependsOn: ['install'], exclusive: ['to'] }),
    fat: Flags.boolean({ description: 'with the server and this Node inside', dependsOn: ['install'] }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Host);
    if (flags.install !== undefined) return this.install(flags.install as HostKind, flags);
    if (!flags.stdio) throw cliErrors.FLAG_INVALID({ flag: '--stdio', reason: 'give it, or --install' });
    await this.serve(flags);
  }

  private async install(kind: HostKind, { json, ...flags }: InstallFlags): Promise<void> {
    const base = isBuilt ? ['dist', 'python'] : ['plugins', 'host-link', 'python'];
    const command = [process.execPath, join(packageRoot, 'dist', 'svc-server.js')];
    const path = await installHost({ ...flags, kind, command, sources: join(packageRoot, ...base) });
    this.print(
      json ? JSON.stringify({ installed: path }) : `wrote ${path}\n${flags.zip ? nextOfZip[kind] : next[kind]}`,
    );
  }

  private async serve(flags: Record<string, unknown>): Promise<void> {
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
