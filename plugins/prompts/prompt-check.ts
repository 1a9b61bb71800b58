/** What is wrong with the prompts of a package, for whoever validates it. */
import { isAbsolute } from 'node:path';
import type { LoadedSkill, SkillFinding } from '../skills/api.ts';
import { readPackagePrompts } from './package-prompts.ts';

const mostMessage = 500;

/** Every problem that a load would log, as a finding. */
export async function checkPrompts(skill: LoadedSkill): Promise<SkillFinding[]> {
  const files = await readPackagePrompts(skill);
  return files.flatMap(({ file, problems }) =>
    problems.map(problem => ({
      reason_code: 'invalid_prompts',
      message: `${isAbsolute(file) ? 'a file outside the package' : file}: ${problem}`.slice(0, mostMessage),
      suggested_fix: 'Correct the entry or the file it names: until then the skill loads without that prompt.',
    })),
  );
}
