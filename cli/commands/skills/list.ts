/** `svc-server skills list`: the skill packages that a server would offer. */
import * as Flags from '@oclif/core/flags';
import { serverSettings } from '../../../plugins/index.ts';
import { SvcCommand } from '../../base.ts';
import { commandConfig, configFlags } from '../../flags.ts';
import { assertDirectory } from '../../paths.ts';

const settings = await serverSettings();

export class SkillsList extends SvcCommand {
  static override summary = 'List the skills that a server would offer';
  static override description = 'Reads manifests only; no code of a skill runs.';
  static override examples = [
    '<%= config.bin %> skills list',
    '<%= config.bin %> skills list --skill-path ./skills --json',
  ];
  static override flags = {
    config: Flags.string({ description: 'JSON or YAML file of options', helpValue: '<file>' }),
    status: Flags.string({
      description: 'only those with this status; `skipped` are packages that were refused',
      options: ['unloaded', 'pending_deps', 'error', 'skipped'],
    }),
    ...configFlags(settings, ['skill_paths', 'bundled_skills', 'dcc_type']),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(SkillsList);
    const config = await commandConfig(flags, process.env, settings);
    for (const path of config.skill_paths) await assertDirectory('Skill path', path);
    const { listSkillPackages } = await import('../../../plugins/skills/api.ts');
    const found = await listSkillPackages(config, process.env);
    const wanted = (status: string): boolean => flags.status === undefined || flags.status === status;
    const skills = found.skills.filter(each => wanted(each.status));
    const skipped = wanted('skipped') ? found.skipped : [];
    if (flags.json) return this.print(JSON.stringify({ total: skills.length, skills, skipped }));

    const { default: Table } = await import('cli-table3');
    const head = ['skill', 'status', 'scope', 'tools', 'description'];
    const table = new Table({ head, style: { head: [], border: [] } });
    for (const each of skills) {
      table.push([each.name, each.status, each.scope, each.tool_count, brief(each.description)]);
    }
    for (const each of skipped) table.push([each.directory_name, 'skipped', '', '', brief(each.message)]);
    if (table.length === 0) return this.print('No skills found. Name a directory with --skill-path.');
    this.print(table.toString());
    for (const each of skipped) this.print(`${each.directory_name} [${each.reason_code}]: ${each.suggested_fix}`);
  }
}

/** A description that fits a table cell. */
const brief = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
