/** Checks a package directory and turns every problem into something to do. */
import type { SkillContext } from 'svc';
import { explain } from '../lib/rejections.ts';
import { ask, fail, rowsOf, succeed, textField } from '../lib/server.ts';

export default async function validateSkill(args: { path: string }, ctx: SkillContext) {
  const answer = await ask(ctx, 'svc.validate_skill', { path: args.path });
  if ('failure' in answer) return fail('validation_failed', answer.failure);
  const { valid, skill_name, tools, groups, depends } = answer.value;
  const explained = (list: unknown) =>
    rowsOf(list).map(problem => ({ ...problem, ...explain(textField(problem, 'reason_code')) }));
  const errors = explained(answer.value.errors);
  const warnings = explained(answer.value.warnings);
  const noted = warnings.length === 0 ? '' : ` There are ${warnings.length} warnings.`;
  const message =
    valid === true
      ? `The package is valid; load it with load_skill.${noted}`
      : `The package has ${errors.length} errors. The first: ${textField(errors[0] ?? {}, 'message')}${noted}`;
  return succeed(message, { valid: valid === true, skill_name, errors, warnings, tools, groups, depends });
}
