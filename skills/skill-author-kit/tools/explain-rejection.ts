/** Explains why discovery refused a package, by name, with concrete steps. */
import type { SkillContext } from 'svc';
import { explain } from '../lib/rejections.ts';
import { ask, type Fields, fail, rowsOf, succeed, textField } from '../lib/server.ts';

export default async function explainRejection(args: { name?: string }, ctx: SkillContext) {
  const answer = await ask(ctx, 'list_skills', { status: 'skipped', include_skipped: true });
  if ('failure' in answer) return fail('list_failed', answer.failure);
  const skipped = rowsOf(answer.value.skipped);
  if (args.name === undefined) {
    const rejected = skipped.map(record => ({
      ...brief(record),
      meaning: explain(textField(record, 'reason_code')).meaning,
    }));
    const names = rejected.map(row => row.name).slice(0, 10);
    const message =
      rejected.length === 0
        ? 'No package was refused.'
        : `${rejected.length} packages were refused: ${names.join(', ')}.`;
    return succeed(message, { rejected });
  }
  const wanted = args.name.toLowerCase();
  const found = skipped.filter(record =>
    [textField(record, 'skill_name'), textField(record, 'directory_name')].some(name => name.toLowerCase() === wanted),
  );
  if (found.length === 0) {
    const names = skipped.map(record => textField(record, 'skill_name')).slice(0, 20);
    const others = names.length === 0 ? 'No package was refused' : `Refused are: ${names.join(', ')}`;
    return fail(
      'not_rejected',
      `No refused package is called "${args.name}". ${others}. If it is missing altogether, its directory is on no search path.`,
      { rejected: names },
    );
  }
  const rejections = found.map(record => ({ ...brief(record), ...explain(textField(record, 'reason_code')) }));
  const first = rejections[0];
  return succeed(`"${args.name}" was refused (${first?.reason_code}): ${first?.message} ${first?.suggested_fix}`, {
    rejections,
  });
}

function brief(record: Fields) {
  return {
    name: textField(record, 'skill_name'),
    directory_name: textField(record, 'directory_name'),
    reason_code: textField(record, 'reason_code'),
    message: textField(record, 'message'),
    suggested_fix: textField(record, 'suggested_fix'),
  };
}
