import { expect, test } from 'vitest';
import { assertDescriptions } from '../../descriptions.ts';
import { rig, tool } from './support.ts';

const skill = (name: string, groups: { name: string; description: string; default_active: boolean }[] = []) =>
  ({ source: 'skill', skill_name: name, groups }) as const;

test('built-in descriptions: three layers, at most 500 characters, parameters at most 100', async () => {
  const { app } = await rig({ lazy_actions: true });
  const builtins = app.tools.list().filter(each => each.source === 'builtin');
  expect(builtins).toHaveLength(7);
  for (const record of builtins) assertDescriptions(record);
  const good = 'Does it. When to use: now. How to use: call it.';
  const check =
    (description: string, input_schema = {}) =>
    () =>
      assertDescriptions({ name: 't', description, input_schema });
  expect(check(good)).not.toThrow();
  expect(check('Does it.')).toThrow(/When to use/);
  expect(check(`Does it. When to use: ${'n'.repeat(480)}. How to use: call it.`)).toThrow(/of at most 500/);
  const property = (description?: string) => ({
    properties: { o: { description: 'o', properties: { deep: { description } } } },
  });
  expect(check(good, property('x'.repeat(101)))).toThrow(/o\.deep has 101 of at most 100/);
  expect(check(good, property())).toThrow(/o\.deep needs a description/);
});

test('built-ins appear in tools/list regardless of loaded skills, with title and every hint [spec:shape:builtin-inputs]', async () => {
  const { ask } = await rig();
  const { result } = await ask('tools/list');
  expect(result?.tools?.map(each => each.name)).toEqual([
    'activate_tool_group',
    'deactivate_tool_group',
    'search_tools',
    'list_roots',
  ]);
  for (const each of result?.tools ?? []) {
    const reads = each.name === 'search_tools' || each.name === 'list_roots';
    expect(each.annotations).toEqual({
      title: each.title,
      readOnlyHint: reads,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
      deferredHint: false,
    });
  }
});

test('activate_tool_group expands the stub into its tools, deactivate_tool_group collapses it; both idempotent', async () => {
  const { app, call, names, refused } = await rig();
  app.tools.publish('skill:s', [tool('inner', { group: 'g' })], skill('s'));
  expect((await refused('inner')).error).toMatchObject({
    code: -32002,
    message: expect.stringContaining('Call activate_tool_group with {"group_name": "g"} first'),
    data: { code: 'SVC_TOOLS_DISABLED', group: 'g' },
  });
  const change = async (name: string, args: object) => (await call(name, { ...args })).result?.structuredContent;
  const on = { success: true, group: 'g', changed: true, active_groups: ['g'] };
  expect(await change('activate_tool_group', { group_name: 'g' })).toEqual(on);
  expect(await change('activate_tool_group', { group: 'g' })).toEqual({ ...on, changed: false });
  expect((await names()).slice(4)).toEqual(['inner']);
  expect((await refused('inner')).error).toBeUndefined();
  expect(await change('deactivate_tool_group', { group_name: 'g' })).toEqual({ ...on, active_groups: [] });
  expect(await change('deactivate_tool_group', { group_name: 'g' })).toMatchObject({ changed: false });
  expect((await names()).slice(4)).toEqual(['__group__g']);
});

test('a group name acts on every skill that has it unless skill_name narrows it', async () => {
  const { app, call, refused } = await rig();
  app.tools.publish('skill:a', [tool('one', { group: 'g' })], skill('a'));
  app.tools.publish('skill:b', [tool('two', { group: 'g' })], skill('b'));
  await call('activate_tool_group', { group_name: 'g', skill_name: 'b' });
  expect((await refused('one')).error?.data.code).toBe('SVC_TOOLS_DISABLED');
  expect((await refused('two')).error).toBeUndefined();
  expect(app.tools.activateGroup('g')).toEqual({ changed: true, active_groups: ['g'] });
  expect((await refused('one')).error).toBeUndefined();
});

test('an unknown group is a clear error that lists the known ones; a missing name is -32001 naming it', async () => {
  const { app, refused } = await rig();
  expect((await refused('activate_tool_group', { group_name: 'x' })).error?.message).toContain('load a skill first');
  app.tools.publish('skill:a', [tool('one', { group: 'rigging' }), tool('two', { group: 'anim' })], skill('a'));
  expect((await refused('activate_tool_group', { group_name: 'x' })).error).toMatchObject({
    code: -32002,
    message: 'Tool group "x" is unknown. Known groups: anim, rigging',
    data: { code: 'SVC_TOOLS_GROUP_UNKNOWN' },
  });
  expect((await refused('activate_tool_group', { group_name: 'anim', skill_name: 'b' })).error?.message).toContain(
    'in the skill "b"',
  );
  expect((await refused('deactivate_tool_group')).error).toMatchObject({
    code: -32001,
    message: 'Invalid arguments for tool "deactivate_tool_group": "group_name" is required',
    data: { problems: [{ field: 'group_name', message: '"group_name" is required' }] },
  });
});

test('default-active groups start active; a reload of the owner keeps what was switched', async () => {
  const { app } = await rig();
  const { tools } = app;
  const declared = [
    { name: 'on', description: '', default_active: true },
    { name: 'off', description: '', default_active: false },
  ];
  const load = () =>
    tools.publish('skill:a', [tool('x', { group: 'on' }), tool('y', { group: 'off' })], skill('a', declared));
  load();
  expect(tools.activateGroup('on')).toEqual({ changed: false, active_groups: ['on'] });
  tools.deactivateGroup('on');
  tools.activateGroup('off');
  const undo = load();
  expect(tools.activateGroup('off')).toEqual({ changed: false, active_groups: ['off'] });
  await undo();
  expect(() => tools.activateGroup('off')).toThrow(/unknown/);
  load();
  expect(tools.activateGroup('on')).toEqual({ changed: false, active_groups: ['on'] });
});

test('list_roots returns the roots that the client advertised [spec:shape:builtin-outputs]', async () => {
  const { call, refused } = await rig();
  expect((await call('list_roots')).result?.structuredContent).toEqual({ supports_roots: false, count: 0, roots: [] });
  const asked: unknown[] = [];
  const roots = [{ uri: 'file:///project', name: 'project' }];
  const client = (answer: unknown) => ({
    clientCapabilities: { roots: {} },
    request: async (...args: unknown[]) => {
      asked.push(args.slice(0, 3));
      return answer;
    },
  });
  expect((await call('list_roots', {}, client({ roots }))).result?.structuredContent).toEqual({
    supports_roots: true,
    count: 1,
    roots,
  });
  expect(asked).toEqual([['roots/list', {}, expect.any(Number)]]);
  expect((await refused('list_roots', {}, client('rubbish'))).error).toMatchObject({ code: -32002 });
});
