/** `svc-server skills validate`: would discovery accept these directories, and if not, why? */
import { Args, ux } from '@oclif/core';
import { SvcCommand } from '../../base.ts';
import { cliErrors } from '../../errors.ts';
import { assertDirectory } from '../../paths.ts';

const many = 10;

export class SkillsValidate extends SvcCommand {
  static override summary = 'Check skill directories';
  static override description =
    'Prints for each directory whether it is a valid skill, otherwise the reason code, what is wrong and how to fix it. Exits with 2 when any is invalid.';
  static override examples = ['<%= config.bin %> skills validate skills/*'];
  static override strict = false;
  static override args = { directory: Args.string({ description: 'one or more skill directories', required: true }) };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(SkillsValidate);
    const directories = argv as string[];
    for (const each of directories) await assertDirectory('Skill directory', each);
    const { validateSkillDirectory } = await import('../../../plugins/skills/api.ts');
    const progress = directories.length >= many && process.stderr.isTTY;
    if (progress) ux.action.start('validating');
    const reports = [];
    for (const [index, path] of directories.entries()) {
      if (progress) ux.action.status = `${index + 1} of ${directories.length}`;
      reports.push({ path, ...(await validateSkillDirectory(path)) });
    }
    if (progress) ux.action.stop();

    const invalid = reports.filter(each => !each.valid).length;
    if (flags.json) this.print(JSON.stringify({ total: reports.length, invalid, reports }));
    else for (const each of reports) this.print(reportText(each));
    if (invalid > 0) throw cliErrors.SKILLS_INVALID({ invalid, total: reports.length });
  }
}

function reportText({ path, valid, reason_code, message, suggested_fix }: SkillReport & { path: string }): string {
  return valid ? `ok       ${path}` : `invalid  ${path}: ${message} [${reason_code}]\n         fix: ${suggested_fix}`;
}
