/** `svc-server serve`: starts a server and runs it until it is asked to stop. */
import { Flags, ux } from '@oclif/core';
import { packageVersion } from '../../kernel/index.ts';
import { createServer, serverSettings } from '../../plugins/index.ts';
import { banner } from '../banner.ts';
import { finish, SvcCommand, tellFailure } from '../base.ts';
import { cliErrors } from '../errors.ts';
import { commandConfig, configFlags, pluginFlag } from '../flags.ts';
import { assertDirectory } from '../paths.ts';
import { onStopSignal } from '../signals.ts';

const settings = await serverSettings();

export class Serve extends SvcCommand {
  static override summary = 'Start the MCP server (the default command)';
  static override description =
    'Listens until it is stopped by Ctrl-C. The address goes to stdout, the log to stderr. With --json, stdout is exactly one line: {"event":"listening","mcp_url","port","instance_id","pid"}.';
  static override examples = [
    '<%= config.bin %>',
    '<%= config.bin %> --port 8765 --skill-paths ./my-skills',
    '<%= config.bin %> serve --json --no-auto-gateway',
  ];
  static override usage = ['[serve] [FLAGS]'];
  static override flags = {
    config: Flags.string({ description: 'JSON or YAML file of options', helpValue: '<file>' }),
    'no-auto-gateway': Flags.boolean({ description: 'the same as --gateway-port 0' }),
    ...pluginFlag,
    ...configFlags(settings),
  };

  async run(): Promise<void> {
    const parsed = await this.parse(Serve);
    const flags: Record<string, unknown> = { ...parsed.flags };
    if (flags['no-auto-gateway']) flags['gateway-port'] = '0';
    const json = flags.json === true;
    const person = process.stdout.isTTY === true && !json;
    // A person reads the banner, a supervisor reads the log.
    const { plugins, ...config } = await commandConfig(flags, process.env, settings, {
      spawn_mode: 'ambient',
      ...(person ? { log_level: 'warn' as const } : {}),
    });
    for (const path of config.skill_paths) await assertDirectory('Skill path', path);

    let ask: () => void = () => undefined;
    const asked = new Promise<void>(resolve => {
      ask = resolve;
    });
    const ignore = onStopSignal(
      () => ask(),
      () => void finish(5),
    );
    if (person && process.stderr.isTTY) ux.action.start('starting');
    const server = createServer(config, { env: process.env, plugins });
    const service = await server.start();
    ux.action.stop('ready');

    if (json) {
      const { port, instance_id, pid } = service;
      this.print(JSON.stringify({ event: 'listening', mcp_url: service.mcpUrl(), port, instance_id, pid }));
    } else {
      const skills = (await server.listSkills()).length;
      this.print(banner({ version: packageVersion, mcpUrl: service.mcpUrl(), skills }));
    }
    const ended = await Promise.race([asked, service.stopped()]);
    if (ended?.crashed) throw ended.error;
    await this.stopWithin(service, config.shutdown_grace_ms + 5000, json);
    ignore();
  }

  /** Shuts down; a shutdown that hangs ends the process with the exit code of a timeout. */
  private async stopWithin(service: { shutdown(): Promise<void> }, timeout_ms: number, json: boolean): Promise<void> {
    const timer = setTimeout(
      () => void finish(tellFailure(cliErrors.SHUTDOWN_TIMEOUT({ timeout_ms }), json)),
      timeout_ms,
    );
    await service.shutdown();
    clearTimeout(timer);
  }
}
