import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtinOrder } from '../../../plugins/tools/builtin-order.ts';
import { rig, tool } from './support.ts';

const skill = (name: string) => ({ source: 'skill', skill_name: name }) as const;
const code = (fn: () => unknown): string => {
  try {
    fn();
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`;
  }
  return 'no error';
};

test('bare_tool_names: a unique action is published bare, colliding ones as <skill>__<action>, and back [spec:shape:naming]', async () => {
  const { app, names } = await rig();
  const { tools } = app;
  tools.publish('skill:a', [tool('make'), tool('only_a')], skill('a'));
  expect(tools.get('make')?.skill_name).toBe('a');
  const undo = tools.publish('skill:b', [tool('make')], skill('b'));
  expect(await names()).toEqual(expect.arrayContaining(['a__make', 'b__make', 'only_a']));
  expect(await names()).not.toContain('make');
  expect(tools.get('make')).toBeUndefined();
  undo();
  expect(tools.get('make')?.name).toBe('make');
  expect(await names()).not.toContain('b__make');
});

test('full names <skill>__<action> always resolve, bare or not', async () => {
  const { app, call } = await rig();
  app.tools.publish('skill:a', [tool('make')], skill('a'));
  expect(app.tools.get('a__make')?.name).toBe('make');
  expect((await call('a__make', { x: 1 })).result?.structuredContent).toEqual({ x: 1 });
});

test('bare_tool_names: false publishes every skill tool with its prefix', async () => {
  const { app, names } = await rig({ bare_tool_names: false });
  app.tools.publish('skill:a', [tool('make')], skill('a'));
  app.tools.publish('host', [tool('bake')], { source: 'host' });
  expect((await names()).slice(-2)).toEqual(['a__make', 'bake']);
});

test('host and built-in tools keep the bare name: the colliding skill tool gets the prefix', async () => {
  const { app } = await rig();
  app.tools.publish('skill:a', [tool('make'), tool('search_tools')], skill('a'));
  app.tools.publish('host', [tool('make')], { source: 'host' });
  expect(app.tools.get('make')?.source).toBe('host');
  expect(app.tools.get('a__make')?.name).toBe('a__make');
  expect(app.tools.get('search_tools')?.source).toBe('builtin');
  expect(app.tools.get('a__search_tools')?.skill_name).toBe('a');
});

test('two tools without skill and the same name are refused; nothing of the second set stays', async () => {
  const { app, names } = await rig();
  app.tools.publish('host:1', [tool('make')], { source: 'host' });
  const before = await names();
  expect(code(() => app.tools.publish('host:2', [tool('other'), tool('make')], { source: 'host' }))).toMatch(
    /SVC_TOOLS_NAME_TAKEN: The tool name "make" is taken already by "host:1"/,
  );
  expect(await names()).toEqual(before);
  expect(code(() => app.tools.publish('skill:a', [tool('x'), tool('x')], skill('a')))).toMatch(/NAME_TAKEN.*"a__x"/);
});

test('a refused publication leaves the owner with what it had', async () => {
  const { app } = await rig();
  app.tools.publish('skill:a', [tool('one', { description: 'first' })], skill('a'));
  const { generation } = app.tools;
  expect(() => app.tools.publish('skill:a', [tool('two'), tool('bad name')], skill('a'))).toThrow(/bad name/);
  expect(app.tools.get('one')?.description).toBe('first');
  expect(app.tools.get('two')).toBeUndefined();
  expect(app.tools.generation).toBe(generation);
});

test('a published name over 64 characters is refused, naming it and saying what to do', async () => {
  const { app } = await rig();
  const long = 'a'.repeat(60);
  expect(code(() => app.tools.publish('h', [tool('b'.repeat(65))], { source: 'host' }))).toMatch(/NAME_TOO_LONG.*65/);
  app.tools.publish('skill:one', [tool(long)], skill('one'));
  const refused = code(() => app.tools.publish('skill:two', [tool(long)], skill('two')));
  expect(refused).toContain(
    `"one__${long}" has 65 characters, at most 64 are allowed: shorten the action or skill name`,
  );
  expect(app.tools.get(long)?.skill_name).toBe('one');
  expect(code(() => app.tools.publish('h', [tool('has.dot')], { source: 'host' }))).toMatch(/SVC_TOOLS_NAME_INVALID/);
  expect(code(() => app.tools.publish('h', [tool('__skill__x')], { source: 'host' }))).toMatch(/reserved/);
});

test('definitions are strict and schemas are checked at publication', async () => {
  const { app } = await rig();
  const refused = (more: object): string => code(() => app.tools.publish('h', [tool('t', more)], { source: 'host' }));
  expect(refused({ inputschema: {} })).toMatch(/DEFINITION_INVALID.*"t".*"inputschema" is not a known field/);
  expect(refused({ tags: 'x' })).toMatch(/"tags" must be array/);
  expect(refused({ input_schema: '{oops' })).toMatch(/SCHEMA_INVALID: The input_schema of tool "t".*not JSON/);
  expect(refused({ input_schema: '[]' })).toMatch(/must be a JSON object/);
  expect(refused({ input_schema: { type: 'string' } })).toMatch(/"type" must be "object", not "string"/);
  expect(refused({ output_schema: { type: 'array' } })).toMatch(/output_schema.*must be "object"/);
  expect(refused({ input_schema: { type: 'object', properties: { a: { type: 'strin' } } } })).toMatch(
    /"properties.a.type"/,
  );
  expect(refused({ input_schema: { type: 'object', properties: { a: { pattern: '[' } } } })).toMatch(
    /regular expression/,
  );
  expect(refused({ input_schema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } })).toMatch(/nowhere/);
  expect(refused({ input_schema: { type: 'object', properties: { a: { enum: [] } } } })).toMatch(/enum/);
  expect(refused({ input_schema: { type: 'object', $async: true, properties: { a: {} } } })).toMatch(/async/);
  expect(
    refused({
      input_schema: { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object', properties: { a: {} } },
    }),
  ).toMatch(/dialect .*draft-04.* is not supported/);
});

test('input_schema may be JSON text, an object of draft-07 or 2020-12, or absent', async () => {
  const { app, refused } = await rig();
  app.tools.publish(
    'h',
    [
      tool('text', { input_schema: '{"type":"object","required":["a"]}' }),
      tool('none'),
      tool('untyped', { input_schema: { properties: { a: { type: 'string' } } } }),
      tool('seven', {
        input_schema: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          type: 'object',
          definitions: { d: { type: 'integer' } },
          properties: { a: { $ref: '#/definitions/d' } },
        },
      }),
    ],
    { source: 'host' },
  );
  expect(app.tools.get('none')?.input_schema).toEqual({ type: 'object' });
  expect(app.tools.get('untyped')?.input_schema.type).toBe('object');
  expect((await refused('text')).error?.message).toContain('"a" is required');
  expect((await refused('seven', { a: 'x' })).error?.message).toContain('"a" must be integer');
  expect((await refused('seven', { a: 4 })).error).toBeUndefined();
});

test('a disposer removes the set of its own publication only', async () => {
  const { app } = await rig();
  const first = app.tools.publish('o', [tool('one')], { source: 'host' });
  const second = app.tools.publish('o', [tool('two')], { source: 'host' });
  expect(app.tools.get('one')).toBeUndefined();
  first();
  expect(app.tools.get('two')?.name).toBe('two');
  second();
  second();
  expect(app.tools.get('two')).toBeUndefined();
});

test('list order: built-ins in the order of the specification, then tools by published name', async () => {
  const { app } = await rig();
  app.tools.publish(
    'builtin:skills',
    ['unload_skill', 'search_skills', 'load_skill'].map(name => tool(name)),
    {
      source: 'builtin',
    },
  );
  app.tools.publish('h', [tool('zeta'), tool('Alpha'), tool('beta')], { source: 'host' });
  const names = app.tools.list().map(each => each.name);
  expect(names).toEqual([...builtinOrder.filter(each => names.includes(each)), 'Alpha', 'beta', 'zeta']);
  expect(names.slice(0, 3)).toEqual(['search_skills', 'load_skill', 'unload_skill']);
});

test('handlers attached by name: before or after the tool, replacing and giving back', async () => {
  const { app, call, refused } = await rig();
  const { tools } = app;
  const early = tools.setHandler('late', () => 'early');
  expect(tools.hasHandler('late')).toBe(true);
  tools.publish('h', [{ definition: { name: 'late' } }, { definition: { name: 'bare' } }], { source: 'host' });
  expect((await call('late')).result?.content).toEqual([{ type: 'text', text: 'early' }]);
  expect(tools.hasHandler('bare')).toBe(false);
  expect((await refused('bare')).error).toMatchObject({ code: -32002, data: { code: 'SVC_TOOLS_NO_HANDLER' } });
  tools.setHandler('late', () => 'newer');
  early();
  expect((await call('late')).result?.content).toEqual([{ type: 'text', text: 'newer' }]);
});

test('internal tools may have dots, are never listed and only reached from inside', async () => {
  const { app, names, refused } = await rig();
  const undo = app.tools.publish('diag', [tool('svc.recent_calls', {}, () => 'inside')], { source: 'internal' });
  expect(await names()).not.toContain('svc.recent_calls');
  expect(app.tools.list().some(each => each.name.startsWith('svc.'))).toBe(false);
  expect((await refused('svc.recent_calls')).error?.code).toBe(-32000);
  const result = await app.tools.call({ name: 'svc.recent_calls', args: {}, internal: true });
  expect(result.content).toEqual([{ type: 'text', text: 'inside' }]);
  expect(code(() => app.tools.publish('other', [tool('svc.recent_calls')], { source: 'internal' }))).toMatch(/TAKEN/);
  undo();
  await expect(app.tools.call({ name: 'svc.recent_calls', args: {}, internal: true })).rejects.toThrow(/not found/);
});

test('property: published names are unique, fit for clients, and each tool answers to its full name', async () => {
  const { app } = await rig();
  const action = fc.constantFrom('a', 'b', 'c', 'x__a', 'a__b', 'x');
  const owner = fc.constantFrom('x', 'y', 'x__a', 'host');
  const step = fc.record({ owner, actions: fc.uniqueArray(action, { maxLength: 4 }), drop: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), steps => {
      const undo = new Map<string, () => void>();
      const model = new Map<string, string[]>();
      for (const each of steps) {
        if (each.drop) {
          undo.get(each.owner)?.();
          model.delete(each.owner);
        } else {
          const options = each.owner === 'host' ? ({ source: 'host' } as const) : skill(each.owner);
          try {
            undo.set(
              each.owner,
              app.tools.publish(
                each.owner,
                each.actions.map(name => tool(name)),
                options,
              ) as () => void,
            );
            model.set(each.owner, each.actions);
          } catch (error) {
            expect((error as { code: string }).code).toBe('SVC_TOOLS_NAME_TAKEN');
          }
        }
        const all = [...model].flatMap(([name, actions]) => actions.map(action => ({ name, action })));
        const listed = app.tools.list().filter(record => record.source !== 'builtin');
        expect(listed.length).toBe(all.length);
        expect(new Set(listed.map(record => record.name)).size).toBe(listed.length);
        for (const { name, action } of all) {
          const record = app.tools.get(name === 'host' ? action : `${name}__${action}`);
          expect([record?.owner, record?.action]).toEqual([name, action]);
          expect(app.tools.get(record?.name ?? '')).toBe(record);
          const rivals = all.filter(other => other.action === action).length > 1;
          if (name !== 'host' && rivals) expect(record?.name).toBe(`${name}__${action}`);
        }
      }
      for (const each of undo.values()) each();
    }),
    { numRuns: 150 },
  );
});

test('10,000 load and unload cycles of a skill leave no memory behind', async () => {
  const { app } = await rig();
  const cycle = (round: number): void => {
    const properties = { a: { type: 'string', description: `round ${round}` }, b: { enum: ['x', String(round)] } };
    const undo = app.tools.publish(
      'skill:s',
      [tool('t', { input_schema: { type: 'object', properties } })],
      skill('s'),
    );
    // Called now and then, so that schemas are compiled and released too.
    if (round % 10 === 0) void app.tools.call({ name: 't', args: {} });
    undo();
  };
  for (let round = 0; round < 3000; round += 1) cycle(round);
  const before = await settledHeap();
  for (let round = 0; round < 10_000; round += 1) cycle(round);
  expect((await settledHeap()) - before).toBeLessThan(4e6);
});

/** Bytes of heap in use after a full collection. */
async function settledHeap(): Promise<number> {
  setFlagsFromString('--expose-gc');
  await new Promise(resolve => setImmediate(resolve));
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test('annotations may be spelled as MCP spells them; ours count where both are given', async () => {
  const { app, ask } = await rig();
  const annotations = { title: 'T', readOnlyHint: true, destructiveHint: true, destructive_hint: false };
  app.tools.publish('host:spelled', [tool('spelled', { annotations })], { source: 'host' });
  expect(app.tools.get('spelled')?.annotations).toEqual({
    title: 'T',
    read_only_hint: true,
    destructive_hint: false,
  });
  const listed = (await ask('tools/list')).result?.tools?.find(each => each.name === 'spelled');
  expect(listed?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  const wrong = { readonlyHint: true } as never;
  expect(code(() => app.tools.publish('host:x', [tool('x', { annotations: wrong })], { source: 'host' }))).toMatch(
    /SVC_TOOLS_DEFINITION_INVALID: .*readonlyHint/,
  );
});

test('a qualified name that is too long for clients is published with the skill cut and marked, and found as a whole', async () => {
  const { app, call } = await rig();
  const action = 'create_everything_at_once';
  for (const skill of ['a', 'b']) {
    const name = `${'procedural-architecture-of-the-old-town-'}${skill}`;
    app.tools.publish(`skill:${name}`, [tool(action, {}, () => ({ skill }))], { source: 'skill', skill_name: name });
  }
  const names = app.tools
    .list()
    .filter(each => each.action === action)
    .map(each => each.name);
  expect(names).toEqual([expect.stringMatching(/^procedural.*-[0-9a-f]{4}__create_every/), expect.any(String)]);
  expect(new Set(names).size).toBe(2);
  expect(names.every(each => each.length <= 64)).toBe(true);
  const whole = `procedural-architecture-of-the-old-town-b__${action}`;
  for (const name of [whole, names.find(each => app.tools.get(each)?.skill_name?.endsWith('-b'))]) {
    expect((await call(String(name))).result?.structuredContent).toEqual({ skill: 'b' });
  }
});
