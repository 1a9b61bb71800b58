/** Why settings are refused: what is wrong, of which option, and where it was said. Pure. */
import { nearest } from './nearest.ts';
import { environmentName } from './option-text.ts';
import type { Problem } from './problems.ts';
import type { SettingsSchema } from './settings-schema.ts';

/** Details of a refusal of `values`, which came from `source`. */
export function refusalOf(
  problems: readonly Problem[],
  source: string,
  values: object,
  { properties }: Pick<SettingsSchema, 'properties'>,
) {
  const unknown = problems.filter(each => each.message.endsWith('is not a known field')).map(each => each.field);
  const hints = unknown.map(each => nearest(each, Object.keys(properties))).filter(Boolean);
  const hint = hints.length > 0 ? ` (did you mean ${hints.join(', ')}?)` : '';
  const option = problems[0]?.field ?? '';
  const where = source === 'environment' && option in values ? `environment ${environmentName(option)}` : source;
  return { source: where, reason: onceEach(problems) + hint, option };
}

/** Problems as a sentence, what one field may be said once: of a choice ajv tells each part, and then the choice itself. */
export function onceEach(problems: readonly Problem[]): string {
  const fields = new Map<string, string[]>();
  for (const { field, message } of problems) {
    const known = fields.get(field) ?? [];
    if (!message.includes('must match a schema in anyOf')) fields.set(field, [...known, message]);
  }
  return [...fields.values()]
    .map(([first, ...more]) => [first, ...more.map(each => each.replace(/^".*?" must be /, ''))].join(' or '))
    .join('; ');
}
