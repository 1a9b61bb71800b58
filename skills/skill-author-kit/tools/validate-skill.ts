/** Checks a package directory and turns every problem into something to do. */
import type { SkillContext } from 'svc';
import { explain } from '../lib/rejections.ts';
import { ask, fail, rowsOf, succeed, textField } from '../lib/server.ts';

export default async function validateSkill(args: { path: string }, ctx: SkillContext) {
  const answer = await ask(ctx, 'svc.validate_skill', { path: args.path });
  if ('failure' in answer) return fail('validation_failed', answer.failure);
  const problems = rowsOf(answer.value.problems).map(problem => ({
    ...problem,
    ...explain(textField(problem, 'reason_code')),
  }));
  const valid = answer.value.valid === true;
  const first = problems[0] === undefined ? '' : ` The first: ${textField(problems[0], 'message')}`;
  const message = valid
    ? 'The package is valid; load it with load_skill.'
    : `The package has ${problems.length} problems.${first}`;
  return succeed(message, { ...answer.value, valid, problems });
}
