import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSubstringIndex } from '../../../plugins/search/engine/substrings.ts';
import { bestOf } from '../../../plugins/search/engine/top.ts';
import type { SkillCandidate } from '../../../plugins/tools/api.ts';
import { createSearchIndex, queryWords, type SearchText } from '../../../plugins/tools/search-index.ts';
import { rank } from '../../../plugins/tools/search-rank.ts';
import { rig, tool } from './support.ts';

/** The rule of the specification, read word for word. */
function scan<T extends SearchText>(items: readonly T[], query: string): T[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word.length >= 2);
  return items.filter(item =>
    words.every(word => item.name.toLowerCase().includes(word) || item.description.toLowerCase().includes(word)),
  );
}

const names = (rows: unknown): string[] => (rows as { name: string }[]).map(each => each.name);

test('property: the index finds exactly what a scan finds, while tools come and go', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'b', 'B', '_', '-', '.', 'ß', 'İ', '😀', '𝒜', ' ', 'é', '1'),
    maxLength: 8,
  });
  const items = fc.array(fc.record({ name: letters, description: letters }), { maxLength: 20 });
  fc.assert(
    fc.property(
      fc.array(items, { minLength: 1, maxLength: 4 }),
      fc.array(letters, { maxLength: 6 }),
      (versions, queries) => {
        const index = createSearchIndex<SearchText>({ substrings: createSubstringIndex });
        let held: SearchText[] = [];
        for (const version of versions) {
          // Every other item of the version before stays.
          held = [...held.filter((_, at) => at % 2 === 0), ...version];
          index.sync(held);
          for (const query of queries) {
            expect(new Set(index.match(queryWords(query)))).toEqual(new Set(scan(held, query)));
          }
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('property: the same at 10,000 tools, from the first search on', () => {
  const parts = ['create', 'mesh', 'Light', 'key_frame', 'render', 'UV', 'set', 'rig', 'x2', 'layer-mask', 'shot.010'];
  const part = (seed: number): string => parts[seed % parts.length] as string;
  const items = Array.from({ length: 10_000 }, (_, at) => ({
    name: `${part(at)}_${part(at * 7 + 3)}_${at}`,
    description: `Will ${part(at * 3 + 1)} the ${part(at * 5 + 2)} of node${at % 97}.`,
  }));
  const index = createSearchIndex<SearchText>({ substrings: createSubstringIndex });
  const word = fc.oneof(
    fc.constantFrom(...parts),
    fc.constantFrom('ate', 'e_m', 'k-m', '10', 'de9', 'will', 'a', '.'),
    fc.integer({ min: 0, max: 9999 }).map(String),
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 3 }), words => {
      const query = words.join(' ');
      index.sync(items);
      expect(new Set(index.match(queryWords(query)))).toEqual(new Set(scan(items, query)));
    }),
    { numRuns: 80 },
  );
  expect(index.size).toBe(10_000);
});

test('property: the best are the first of the sorted, and an exact name is always first', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '_'), minLength: 1, maxLength: 5 });
  const items = fc.uniqueArray(fc.record({ name: word, description: word }), {
    selector: each => each.name,
    maxLength: 30,
  });
  fc.assert(
    fc.property(items, word, fc.integer({ min: 1, max: 40 }), (found, phrase, limit) => {
      const ranked = found.map(each => rank(each, { phrase, words: queryWords(phrase) }));
      const all = bestOf(ranked, ranked.length + 1);
      expect(bestOf(ranked, limit)).toEqual(all.slice(0, limit));
      expect(new Set(all)).toEqual(new Set(found));
      if (found.some(each => each.name === phrase)) expect(all[0]?.name).toBe(phrase);
    }),
  );
});

test('search_tools: every word of two or more characters must occur; the exact name is first, then its starts', async () => {
  const { app, call } = await rig();
  app.tools.publish(
    'h',
    [
      tool('render', { description: 'Renders.' }),
      tool('batch_render', { description: 'render render render render' }),
      tool('render_layer', { description: 'One layer.' }),
      tool('shade', { description: 'Prepares a layer to render it.' }),
    ],
    { source: 'host' },
  );
  const found = async (query: string, more = {}) =>
    (await call('search_tools', { query, ...more })).result?.structuredContent as Record<string, never>;
  expect(names((await found('render')).tools)).toEqual(['render', 'render_layer', 'batch_render', 'shade']);
  expect(names((await found('RENDER a Layer')).tools)).toEqual(['render_layer', 'shade']);
  expect(names((await found('layer nowhere')).tools)).toEqual([]);
  expect(await found('render', { limit: 1 })).toMatchObject({ total: 4, query: 'render', skill_candidates: [] });
  expect((await found('render', { limit: 1 })).tools).toHaveLength(1);
});

test('search_tools: rows, host filter, inactive groups and stubs on request', async () => {
  const { app, call } = await rig({ dcc_type: 'maya' });
  const input_schema = { type: 'object', properties: { a: {} } };
  app.tools.publish(
    'skill:s',
    [
      tool('bevel', { group: 'g', category: 'mesh', input_schema, metadata: { k: 1 } }),
      tool('bevel_houdini', { dcc: 'houdini' }),
    ],
    { source: 'skill', skill_name: 's' },
  );
  app.tools.addStubs(() => [{ name: '__skill__bevels', description: 'More bevel tools.' }]);
  const found = async (more: object) =>
    (await call('search_tools', { query: 'bevel', ...more })).result?.structuredContent?.tools as Record<
      string,
      unknown
    >[];
  expect(names(await found({}))).toEqual(['bevel_houdini']);
  expect(names(await found({ dcc: 'Maya' }))).toEqual([]);
  expect((await found({ dcc: 'maya', include_disabled: true }))[0]).toEqual({
    kind: 'tool',
    name: 'bevel',
    description: 'Does bevel.',
    category: 'mesh',
    group: 'g',
    enabled: false,
    has_schema: true,
    dcc: '',
    skill_name: 's',
    annotations: { deferredHint: false },
    metadata: { k: 1 },
  });
  const stub = (await found({ include_stubs: true })).find(each => each.name === '__skill__bevels');
  expect(stub).toMatchObject({ category: 'stub', enabled: false });
});

test('search_tools: unloaded skills are candidates with the call that loads them', async () => {
  const { app, call } = await rig();
  const skill: SkillCandidate = {
    skill_name: 'media',
    description: 'Images and film.',
    tags: ['png'],
    dcc: 'any',
    scope: 'repo',
    tool_count: 2,
    tools: [
      { name: 'make_thumbnail', description: 'Shrinks an image.', group: 'images' },
      { name: 'cut', description: 'Cuts film.', group: '' },
    ],
  };
  app.tools.addCandidates(() => [skill]);
  const found = async (query: string, more = {}) =>
    (await call('search_tools', { query, ...more })).result?.structuredContent?.skill_candidates;
  expect(await found('thumb image')).toEqual([
    {
      kind: 'skill_candidate',
      skill_name: 'media',
      description: 'Images and film.',
      tags: ['png'],
      dcc: 'any',
      scope: 'repo',
      tool_count: 2,
      matching_tools: ['make_thumbnail'],
      tool_group: 'images',
      requires_load_skill: true,
      load_hint: { tool: 'load_skill', arguments: { skill_name: 'media', tool_group: 'images' } },
    },
  ]);
  expect(await found('png')).toMatchObject([
    { matching_tools: [], tool_group: null, load_hint: { arguments: { skill_name: 'media' } } },
  ]);
  expect(await found('nothing')).toEqual([]);
  expect(await found('thumb', { include_unloaded_skills: false })).toEqual([]);
});

test('search_tools: limit 1 to 100, query required, unknown arguments named (-32001)', async () => {
  const { refused } = await rig();
  expect((await refused('search_tools')).error).toMatchObject({
    code: -32001,
    message: expect.stringContaining('"query" is required'),
  });
  for (const limit of [0, 101, 1.5, 'x']) {
    expect((await refused('search_tools', { query: 'x', limit })).error?.message).toContain('"limit"');
  }
  expect((await refused('search_tools', { query: 'x', querry: 1 })).error?.message).toContain(
    '"querry" is not a known field',
  );
});
