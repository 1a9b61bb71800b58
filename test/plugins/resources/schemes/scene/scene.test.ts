import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Change, createComparison, type Delta } from '../../../../../plugins/resources/schemes/scene/delta.ts';
import { schemeScenePlugin } from '../../../../../plugins/resources/schemes/scene/index.ts';
import { computing, waitFor } from '../../../../helper.ts';
import type { Json } from '../../../../spec/wire.ts';
import { pause, readJson, resourceServer, updatesOf } from '../../support.ts';

const nodes = (count: number, moved = -1) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `node ${id}`, at: [id, id === moved ? 99 : 0, 0] }));

/** The delta without a pause. */
const deltaOf = (before: unknown, after: unknown, limit?: number): Delta =>
  createComparison(before, after, limit).run(() => false) as Delta;

test('scene://current and scene://delta: placeholders, snapshot, revisions, clearing, notifications [spec:scheme:scene-current spec:scheme:scene-cleared spec:scheme:scene-delta spec:scheme:scene-notifies]', async () => {
  const { app, connect } = await resourceServer([], {}, [schemeScenePlugin]);
  const wire = await connect();
  const stream = await wire.stream();
  for (const uri of ['scene://current', 'scene://delta']) await wire.result('resources/subscribe', { uri });
  const { resources } = await wire.result('resources/list');
  expect((resources as Json[]).map(each => [each.uri, each.mimeType])).toEqual([
    ['scene://current', 'application/json'],
    ['scene://delta', 'application/json'],
  ]);
  expect(await readJson(wire, 'scene://current')).toMatchObject({ status: 'no_snapshot' });
  expect(await readJson(wire, 'scene://delta')).toMatchObject({ status: 'no_scene_delta' });

  const scene = { scene_path: '/a.blend', fps: 24, frame_range: [1, 10], nodes: nodes(3) };
  app.schemeScene.setScene(scene);
  await waitFor(() => updatesOf(stream.messages, 'scene://current') === 1, 'the update of the scene');
  await waitFor(() => updatesOf(stream.messages, 'scene://delta') === 1, 'the update of the delta');
  expect(await readJson(wire, 'scene://current')).toEqual(scene);
  expect(await readJson(wire, 'scene://delta')).toMatchObject({
    source: 'dcc_scene',
    schema_version: 1,
    base_revision: 0,
    revision: 1,
    baseline: true,
    changes: [],
    truncated: false,
  });

  app.schemeScene.setScene({ ...scene, fps: 25, nodes: nodes(3, 2) });
  expect(await readJson(wire, 'scene://delta')).toMatchObject({
    base_revision: 1,
    revision: 2,
    baseline: false,
    changes: [
      { path: '/fps', kind: 'changed', before: 24, after: 25 },
      { path: '/nodes/2/at/1', kind: 'changed', before: 0, after: 99 },
    ],
  });
  app.schemeScene.setScene(null);
  expect(await readJson(wire, 'scene://current')).toMatchObject({ status: 'no_snapshot' });
  expect(await readJson(wire, 'scene://delta')).toMatchObject({
    base_revision: 2,
    revision: 3,
    baseline: false,
    changes: [{ path: '', kind: 'removed' }],
    truncated: false,
  });
  app.schemeScene.setScene(scene);
  expect(await readJson(wire, 'scene://delta')).toMatchObject({ revision: 4, baseline: true, changes: [] });
  stream.close();
});

test('set_scene with an identical snapshot emits nothing and makes no revision [spec:scheme:scene-identical]', async () => {
  const { app, connect } = await resourceServer([], {}, [schemeScenePlugin]);
  const wire = await connect();
  app.schemeScene.setScene({ a: 1, b: { c: [1, 2] } });
  await pause(40);
  const stream = await wire.stream();
  await wire.result('resources/subscribe', { uri: 'scene://current' });
  app.schemeScene.setScene({ a: 1, b: { c: [1, 2] } });
  app.schemeScene.setScene({ b: { c: [1, 2] }, a: 1 });
  await pause(60);
  expect(updatesOf(stream.messages, 'scene://current')).toBe(0);
  expect(app.schemeScene.revision).toBe(1);
  stream.close();
});

test('the caller does not wait for the comparison; a read of the delta does, and other requests come between', async () => {
  const { app, connect } = await resourceServer([], {}, [schemeScenePlugin]);
  const wire = await connect();
  app.schemeScene.setScene({ nodes: nodes(20_000) });
  await readJson(wire, 'scene://delta');
  app.schemeScene.setScene({ nodes: nodes(20_000, 19_999) });
  expect(app.schemeScene.revision).toBe(1);
  const order: string[] = [];
  const delta = readJson(wire, 'scene://delta').finally(() => order.push('delta'));
  for (let turn = 0; turn < 3; turn += 1) setImmediate(() => order.push('turn'));
  expect(await delta).toMatchObject({ revision: 2, changes: [{ path: '/nodes/19999/at/1', before: 0, after: 99 }] });
  expect(order).toEqual(['turn', 'turn', 'turn', 'delta']);
});

test('snapshots faster than their comparison: the newest is kept, revisions have no gap, one that was undone makes none', async () => {
  const { app, connect } = await resourceServer([], {}, [schemeScenePlugin]);
  const wire = await connect();
  for (let n = 0; n <= 10; n += 1) app.schemeScene.setScene({ n });
  expect(await readJson(wire, 'scene://current')).toEqual({ n: 10 });
  expect(await readJson(wire, 'scene://delta')).toMatchObject({ revision: 1, baseline: true });
  const seen: Json[] = [];
  for (let n = 11; n <= 40; n += 1) {
    app.schemeScene.setScene({ n, nodes: nodes(200) });
    if (n % 3 === 0) seen.push(await readJson(wire, 'scene://delta'));
  }
  expect(await readJson(wire, 'scene://delta')).toMatchObject({ changes: [{ path: '/n', after: 40 }] });
  for (const { base_revision, revision } of seen) expect(base_revision).toBe(Number(revision) - 1);
  expect(seen.at(-1)).toMatchObject({ changes: [{ path: '/n', after: 39 }] });
  const before = app.schemeScene.revision;
  app.schemeScene.setScene({ n: 41, nodes: nodes(200) });
  app.schemeScene.setScene({ n: 40, nodes: nodes(200) });
  await readJson(wire, 'scene://delta');
  expect(app.schemeScene.revision).toBe(before);
});

test('a server that closes while a scene is compared ends the comparison', async () => {
  const { app, connect } = await resourceServer([], {}, [schemeScenePlugin]);
  const wire = await connect();
  app.schemeScene.setScene({ nodes: nodes(50_000) });
  await readJson(wire, 'scene://delta');
  app.schemeScene.setScene({ nodes: nodes(50_000, 49_999) });
  await app.close();
  expect(app.schemeScene.revision).toBe(1);
});

test('what is no JSON is refused and changes nothing', async () => {
  const { app } = await resourceServer([], {}, [schemeScenePlugin]);
  const cyclic: Json = {};
  cyclic.self = cyclic;
  for (const bad of [cyclic, 5n, () => 1, Symbol('x')]) expect(() => app.schemeScene.setScene(bad)).toThrow(TypeError);
  expect(app.schemeScene.revision).toBe(0);
});

describe('delta', () => {
  test('arrays with stable identities are matched by identity', () => {
    const [a, b, c] = nodes(3);
    expect(deltaOf([a, b, c], [b, c]).changes).toEqual([{ path: '/0', kind: 'removed', before: a }]);
    expect(deltaOf([b, c], [a, b, c]).changes).toEqual([{ path: '/0', kind: 'added', after: a }]);
    const renamed = { ...c, name: 'new' };
    expect(deltaOf([a, b, c], [a, renamed]).changes).toEqual([
      { path: '/1/name', kind: 'changed', before: 'node 2', after: 'new' },
      { path: '/1', kind: 'removed', before: b },
    ]);
  });

  test('items that changed places make the array one changed value', () => {
    const [a, b] = nodes(2);
    expect(deltaOf({ n: [a, b] }, { n: [b, a] }).changes).toEqual([
      { path: '/n', kind: 'changed', before: [a, b], after: [b, a] },
    ]);
  });

  test('the change list is bounded: 128 changes, one megabyte of values [spec:scheme:scene-delta]', () => {
    const many = deltaOf(
      nodes(500),
      nodes(500).map(each => ({ ...each, name: 'x' })),
    );
    expect(many.changes.length).toBe(128);
    expect(many.truncated).toBe(true);
    const big = deltaOf({ a: 1, b: 1 }, { a: 2, b: 'x'.repeat(2_000_000) });
    expect(big).toEqual({ changes: [{ path: '/a', kind: 'changed', before: 1, after: 2 }], truncated: true });
  });

  test('a key that looks like a prototype member is a key', () => {
    const after = JSON.parse('{"__proto__":{"x":1},"constructor":2}');
    expect(deltaOf({}, after).changes.map(each => [each.path, each.kind])).toEqual([
      ['/__proto__', 'added'],
      ['/constructor', 'added'],
    ]);
  });

  test('left and taken up again at every step it finds the same', () => {
    const [before, after] = [nodes(300, 7), nodes(301, 250)];
    for (const [left, right] of [
      [before, after],
      [
        { a: before, b: [1, [2, 3]] },
        { a: after, b: [1, [2, 4], 5], c: {} },
      ],
      [before, [...before].reverse()],
    ]) {
      const comparison = createComparison(left, right);
      let pauses = 0;
      let found: Delta | undefined;
      for (; !found; pauses += 1) found = comparison.run(() => true);
      expect(pauses).toBeGreaterThan(2);
      expect(found).toEqual(deltaOf(left, right));
    }
  });

  test('depth is bounded by nothing of ours', () => {
    const deep = (leaf: number) => {
      let value: unknown = leaf;
      for (let depth = 0; depth < 3000; depth += 1) value = depth % 2 ? [value] : { x: value };
      return value;
    };
    expect(deltaOf(deep(1), deep(2)).changes).toMatchObject([{ kind: 'changed', before: 1, after: 2 }]);
  });

  test('5,000 nodes take a moment only', () => {
    const [before, after] = [nodes(5000), nodes(5000, 4321)];
    const spent = computing();
    const { changes } = deltaOf({ nodes: before }, { nodes: after });
    expect(spent()).toBeLessThan(300);
    expect(changes).toEqual([{ path: '/nodes/4321/at/1', kind: 'changed', before: 0, after: 99 }]);
  });

  test('applied to the older value it gives the newer one (property, without identities)', () => {
    const json = fc
      .jsonValue({ maxDepth: 4 })
      .filter(value => !/"(id|uuid|guid|path|name|__proto__)":/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(json, json, (left, right) => {
        const [before, after] = [left, right].map(each => JSON.parse(JSON.stringify(each)) as unknown);
        const { changes, truncated } = deltaOf(before, after, 100_000);
        expect(truncated).toBe(false);
        expect(applied(before, changes)).toEqual(after);
        expect(deltaOf(after, after).changes).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

/** Applies changes to a copy: removals of array items last and from the end. */
function applied(before: unknown, changes: readonly Change[]): unknown {
  const root = { value: structuredClone(before) } as Record<string, unknown>;
  const removed = changes.filter(each => each.kind === 'removed').reverse();
  for (const { path, kind, after } of [...changes.filter(each => each.kind !== 'removed'), ...removed]) {
    const keys = [
      'value',
      ...path
        .split('/')
        .slice(1)
        .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~')),
    ];
    const last = keys.pop() as string;
    const holder = keys.reduce((each, key) => (each as Json)[key] as Json, root as Json);
    if (kind !== 'removed')
      Object.defineProperty(holder, last, { value: after, writable: true, enumerable: true, configurable: true });
    else if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else delete holder[last];
  }
  return root.value;
}
