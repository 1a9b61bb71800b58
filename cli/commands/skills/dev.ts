/** `svc-server skills dev`: one package served while its author works on it, and every save judged as it happens. */
import { basename, resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { watch } from 'chokidar';
import { messageOf } from '../../../kernel/index.ts';
import { createServer, type Server, serverSettings } from '../../../plugins/index.ts';
import { registryDirectory } from '../../../plugins/instances/registry/api.ts';
import { type SkillReport, validateSkillDirectory } from '../../../plugins/skills/api.ts';
import { finish, SvcCommand } from '../../base.ts';
import { commandConfig, configFlags } from '../../flags.ts';
import { beginLife } from '../../life.ts';
import { assertDirectory } from '../../paths.ts';
import { findingLines } from '../../skill-report.ts';

const settings = await serverSettings();
/** Longer than the server waits before it reloads: its outcome comes first. */
const quietMs = 150;

export class SkillsDev extends SvcCommand {
  static override summary = 'Serve a skill while you work on it';
  static override description =
    'Serves one package, loaded, and tells of every save what is wrong with it and whether it was taken over. Call its tools in another terminal: svc-server call <tool> --arg <name>=<value>. With --json, stdout is one line of JSON for each thing that happens.';
  static override examples = ['<%= config.bin %> skills dev ./rename-nodes'];
  static override args = { directory: Args.string({ description: 'directory of the skill', default: '.' }) };
  static override flags = {
    port: Flags.integer({ description: 'port to listen on; 0 for a free one', default: 0, min: 0, max: 65535 }),
    'skill-path': Flags.string({
      description: 'where the skills are that it depends on',
      helpValue: '<directory>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ...configFlags(settings, ['dcc_type', 'log_level', 'skill_config']),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SkillsDev);
    const directory = resolve(args.directory);
    await assertDirectory('Skill', directory);
    const config = await commandConfig(flags, process.env, settings, () => ({ log_level: 'warn' }));
    const own = { skill_paths: [directory, ...(flags['skill-path'] ?? [])], bundled_skills: false };
    const life = beginLife({ command: 'skills:dev', argv: this.argv, insist: () => void finish(5) });
    // Nobody else needs it: no gateway is started for it.
    const server = createServer({ ...config, ...own, port: flags.port, gateway_port: 0, spawn_mode: 'ambient' });
    const session = createSession(server, directory, (event, text) => this.tell(flags.json, event, text));
    await session.listen();
    const service = await server.start();
    const url = service.mcpUrl();
    this.tell(flags.json, { event: 'listening', mcp_url: url, pid: process.pid }, `serving ${directory} at ${url}`);
    await life.announce({
      kind: 'server',
      name: config.dcc_type ?? basename(directory),
      url,
      instance_id: service.instance_id,
      log_file: config.log_file,
      registry_dir: registryDirectory(config.registry_dir),
    });
    await session.look();
    const watcher = watch(directory, { ignored: isIgnored, ignoreInitial: true, followSymlinks: false });
    let timer: NodeJS.Timeout | undefined;
    watcher.on('all', () => {
      clearTimeout(timer);
      timer = setTimeout(() => void session.look(), quietMs);
    });
    await Promise.race([life.asked, service.stopped()]);
    await watcher.close();
    clearTimeout(timer);
    await service.shutdown();
    await life.end();
  }

  private tell(json: boolean, event: object, text: string): void {
    this.print(json ? JSON.stringify(event) : text);
  }
}

const isIgnored = (path: string): boolean => /[\\/](?:\.[^\\/]+|node_modules|__pycache__)$/.test(path);

/** Judges the package whenever it is looked at, loads it as soon as it can be, and says what became of each save. */
function createSession(server: Server, directory: string, tell: (event: object, text: string) => void) {
  let said = '';
  let looking: Promise<void> = Promise.resolve();
  let loadFailure = '';

  const judge = async (): Promise<SkillReport> => {
    const report = await validateSkillDirectory(directory, { env: process.env });
    const { valid, errors, warnings } = report;
    const text = findingLines(report).join('\n');
    if (text !== said) tell({ event: 'validated', valid, errors, warnings }, text || '  nothing is wrong any more');
    said = text;
    return report;
  };

  const load = async (name: string): Promise<void> => {
    try {
      if (await server.isLoaded(name)) return;
      await server.discover();
      const tools = await server.loadSkill(name);
      loadFailure = '';
      tell({ event: 'loaded', skill: name, tools }, invitation(tools));
    } catch (error) {
      const message = messageOf(error);
      if (message !== loadFailure) tell({ event: 'failed', skill: name, message }, `not loaded: ${message}`);
      loadFailure = message;
    }
  };

  return {
    async listen(): Promise<void> {
      await server.bus.subscribe(
        'skill.loaded',
        ({ attributes: { reload, registered_tools: tools = [], skill_name } }) => {
          if (reload) tell({ event: 'reloaded', skill: skill_name, tools }, `reloaded: ${tools.join(', ')}`);
        },
      );
      await server.bus.subscribe('skill.validation_failed', ({ attributes: { reload, error_message, skill_name } }) => {
        if (!reload) return;
        const text = `not reloaded, the version before goes on: ${error_message}`;
        tell({ event: 'failed', skill: skill_name, message: error_message }, text);
      });
      await server.bus.subscribe('tool.completed', ({ attributes: { tool_name, duration_ms, result_success } }) => {
        const how = result_success ? 'done' : 'reported a failure';
        tell(
          { event: 'called', tool: tool_name, success: result_success, duration_ms },
          called(tool_name, how, duration_ms),
        );
      });
      await server.bus.subscribe('tool.failed', ({ attributes: { tool_name, duration_ms, error_message } }) => {
        const text = called(tool_name, `failed: ${error_message}`, duration_ms);
        tell({ event: 'called', tool: tool_name, success: false, duration_ms, message: error_message }, text);
      });
    },
    /** One look at a time, the last for the newest save. */
    look(): Promise<void> {
      looking = looking.then(async () => {
        const report = await judge();
        await load(report.skill_name);
      });
      return looking;
    },
  };
}

const called = (tool: string, how: string, ms: number): string => `${tool}: ${how} (${Math.round(ms)} ms)`;

/** What can be done now. */
const invitation = (tools: readonly string[]): string =>
  [
    'loaded; call its tools in another terminal:',
    ...tools.map(each => `  svc-server call ${each} --arg <name>=<value>`),
  ].join('\n');
