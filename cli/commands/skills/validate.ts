/** `svc-server skills validate`: would discovery accept these directories, and if not, why? */
import * as Args from '@oclif/core/args';
import { ux } from '@oclif/core/ux';
import type { SkillReport } from '../../../plugins/skills/api.ts';
import { SvcCommand } from '../../base.ts';
import { cliErrors } from '../../errors.ts';
import { findingLines } from '../../skill-report.ts';

const many = 10;

export class SkillsValidate extends SvcCommand {
  static override summary = 'Check skill directories';
  static override description =
    'Prints for each directory whether it is a valid skill, otherwise what is wrong, where, the reason code and how to fix it. Builds the code and parses the scripts; nothing of them runs. Exits with 2 when any is invalid.';
  static override examples = ['<%= config.bin %> skills validate skills/*'];
  static override strict = false;
  static override args = { directory: Args.string({ description: 'one or more skill directories', required: true }) };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(SkillsValidate);
    const directories = argv as string[];
    const { validateSkillDirectory } = await import('../../../plugins/skills/api.ts');
    const { checkPrompts } = await import('../../../plugins/prompts/api.ts');
    const progress = directories.length >= many && process.stderr.isTTY;
    if (progress) ux.action.start('validating');
    const reports: (SkillReport & { path: string })[] = [];
    for (const [index, path] of directories.entries()) {
      if (progress) ux.action.status = `${index + 1} of ${directories.length}`;
      reports.push({ path, ...(await validateSkillDirectory(path, { checks: [checkPrompts], env: process.env })) });
    }
    if (progress) ux.action.stop();

    const invalid = reports.filter(each => !each.valid).length;
    if (flags.json) this.print(JSON.stringify({ total: reports.length, invalid, reports }));
    else for (const each of reports) this.print(reportText(each));
    if (invalid > 0) throw cliErrors.SKILLS_INVALID({ invalid, total: reports.length });
  }
}

function reportText({ path, valid, ...findings }: SkillReport & { path: string }): string {
  return [`${valid ? 'valid  ' : 'invalid'} ${path}`, ...findingLines(findings)].join('\n');
}
