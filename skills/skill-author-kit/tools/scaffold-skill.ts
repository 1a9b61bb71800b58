/** Makes a new skill package that works at once. */
import type { SkillContext } from 'svc';
import { ask, fail, succeed } from '../lib/server.ts';

interface Args {
  name: string;
  directory: string;
  description?: string;
  template?: string;
  tool?: string;
  dcc?: string;
}

export default async function scaffoldSkill(args: Args, ctx: SkillContext) {
  // Only what was given, so that the server's own defaults apply.
  const answer = await ask(ctx, 'svc.scaffold_skill', { ...args });
  if ('failure' in answer) return fail('scaffold_failed', answer.failure);
  return succeed(`Made the skill "${args.name}" in ${args.directory}. Edit its tool, then run validate_skill on it.`, {
    ...answer.value,
    next_steps: [
      'Open the tool file and replace its body; arguments are declared in tools.yaml.',
      'Run validate_skill on the new directory.',
      'Call list_skills: when the directory lies on a search path the skill is there. Then load_skill.',
      'Edit and save while it is loaded: the next call runs the new code.',
    ],
  });
}
