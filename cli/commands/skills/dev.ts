/** `svc-server skills dev`: one package served while its author works on it, and every save judged as it happens. */
import { basename, resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { watch } from 'chokidar';
import { createServer, serverSettings } from '../../../plugins/index.ts';
import { registryDirectory } from '../../../plugins/instances/registry/api.ts';
import { finish, SvcCommand } from '../../base.ts';
import { createDevSession } from '../../dev-session.ts';
import { commandConfig, configFlags } from '../../flags.ts';
import { beginLife } from '../../life.ts';
import { assertDirectory } from '../../paths.ts';

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
    const life = beginLife({ argv: this.argv, insist: () => void finish(5) });
    // Nobody else needs it: no gateway is started for it.
    const server = createServer({ ...config, ...own, port: flags.port, gateway_port: 0, spawn_mode: 'ambient' });
    const session = createDevSession(server, directory, (event, text) => this.tell(flags.json, event, text));
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
