/** `svc-server serve`: starts a server and runs it until it is asked to stop. */
import * as Flags from '@oclif/core/flags';
import { packageVersion } from '../../kernel/index.ts';
import { createServer, serverSettings } from '../../plugins/index.ts';
import { registryDirectory } from '../../plugins/instances/registry/api.ts';
import { banner } from '../banner.ts';
import { finish, SvcCommand, tellFailure } from '../base.ts';
import { detachedFlag, reportStart } from '../daemon.ts';
import { cliErrors } from '../errors.ts';
import { commandConfig, configFlags, pluginFlag } from '../flags.ts';
import { beginLife } from '../life.ts';
import { assertDirectory } from '../paths.ts';
import { ownLog } from '../state.ts';

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
  static override flags = {
    config: Flags.string({ description: 'JSON or YAML file of options', helpValue: '<file>' }),
    'no-auto-gateway': Flags.boolean({ description: 'the same as --gateway-port 0' }),
    [detachedFlag]: Flags.boolean({ hidden: true }),
    ...pluginFlag,
    ...configFlags(settings),
  };

  async run(): Promise<void> {
    const parsed = await this.parse(Serve);
    const flags: Record<string, unknown> = { ...parsed.flags };
    if (flags['no-auto-gateway']) flags['gateway-port'] = '0';
    const json = flags.json === true;
    const person = process.stdout.isTTY === true && !json;
    const { plugins, ...settled } = await commandConfig(flags, process.env, settings, given => ({
      spawn_mode: 'ambient',
      // A person reads the banner; the whole log is in its file.
      ...(person && !given('log_level') ? { terminal_log_level: 'warn' } : {}),
    }));
    const config = { ...settled, log_file: settled.log_file ?? ownLog(settled.dcc_type ?? 'server') };
    for (const path of config.skill_paths) await assertDirectory('Skill path', path);

    const life = beginLife({ command: 'serve', argv: this.argv, insist: () => void finish(5) });
    const server = createServer(config, { env: process.env, plugins });
    const start = async () => {
      const started = await server.start();
      const announced = life.announce({
        kind: 'server',
        name: config.dcc_type ?? 'server',
        url: started.mcpUrl(),
        instance_id: started.instance_id,
        log_file: config.log_file,
        registry_dir: registryDirectory(config.registry_dir),
        ...(config.job_storage_path !== null && { job_storage_path: config.job_storage_path }),
      });
      if (flags.detached) await announced;
      return started;
    };
    const service = flags.detached ? await reportStart(start) : await start();
    const { port, instance_id, pid } = service;
    const mcp_url = service.mcpUrl();
    if (json && !flags.detached) {
      this.print(JSON.stringify({ event: 'listening', mcp_url, port, instance_id, pid }));
    } else if (!flags.detached) {
      this.print(banner({ version: packageVersion, mcpUrl: mcp_url, skills: (await server.listSkills()).length }));
    }
    const ended = await Promise.race([life.asked, service.stopped()]);
    if (ended?.crashed) throw ended.error;
    await this.stopWithin(service, config.shutdown_grace_ms + 5000, json);
    await life.end();
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
