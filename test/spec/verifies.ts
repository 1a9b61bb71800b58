/** A test that proves rules of the specification: the ids stand in its title and must exist. */
import { type TestOptions, test } from 'vitest';
import { requirementById } from './requirements.ts';

/** Declares a test of `ids`; throws on an id that is unknown or deferred, so that a citation is never hollow. */
export function verifies(
  ids: readonly string[],
  name: string,
  body: () => unknown,
  options: TestOptions | number = {},
): void {
  if (ids.length === 0) throw new Error(`"${name}" cites no rule: use vitest's own test`);
  for (const id of ids) {
    const rule = requirementById.get(id);
    if (!rule) throw new Error(`"${name}" cites "${id}", which test/spec/requirements does not list`);
    if (rule.deferred)
      throw new Error(`"${name}" cites "${id}", which is deferred (${rule.deferred}): undefer it first`);
  }
  const settings = typeof options === 'number' ? { timeout: options } : options;
  test(`${name} [spec:${ids.join(' spec:')}]`, settings, async () => {
    await body();
  });
}
