/** The list of rules and the tests that cite them stay in step. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { citedIds, findCitations } from './citations.ts';
import { table } from './option-table.ts';
import { requirementById, requirements } from './requirements.ts';

/** Sources of this scanner's own examples: not citations. */
const ownFile = join('spec', 'coverage.test.ts');

const citations = (await findCitations(join(packageRoot, 'test'))).filter(({ file }) => file !== ownFile);

describe('the list of rules', () => {
  test('has no id twice', () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('says each rule in one sentence, and why a rule waits', () => {
    for (const { id, rule, deferred } of requirements) {
      expect(rule, id).toMatch(/^\S.{8,}\.$/);
      if (deferred !== undefined) expect(deferred, id).toMatch(/^issue: \S/);
    }
  });

  test('has a rule for every property of the configuration table', () => {
    expect(table).toHaveLength(29);
    expect(table.filter(([name]) => !requirementById.has(`config:${name}`))).toEqual([]);
  });
});

describe('the tests', () => {
  test('cite every rule that is not deferred', () => {
    const cited = new Set(citations.map(({ id }) => id));
    const open = requirements.filter(({ id, deferred }) => deferred === undefined && !cited.has(id));
    expect(open.map(({ id, rule }) => `${id}: ${rule}`)).toEqual([]);
  });

  test('cite only rules that exist and are not deferred', () => {
    const wrong = citations.filter(
      ({ id }) => requirementById.get(id)?.deferred !== undefined || !requirementById.has(id),
    );
    expect(wrong.map(({ id, file }) => `${file} cites ${id}`)).toEqual([]);
  });
});

describe('the scanner', () => {
  test('reads both spellings', () => {
    expect(citedIds("verifies(['a:b',\n \"c:d\"], 'x', () => {})")).toEqual(['a:b', 'c:d']);
    expect(citedIds("test('name [spec:a:b spec:c:d]')")).toEqual(['a:b', 'c:d']);
    expect(citedIds("verify(['a:b'])")).toEqual([]);
  });
});
