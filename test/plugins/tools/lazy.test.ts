import { expect, test } from 'vitest';
import { rig, tool } from './support.ts';

async function lazyRig() {
  const made = await rig({ lazy_actions: true, dcc_type: 'maya' });
  const input_schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
  const description = 'Adds things. Carefully.';
  made.app.tools.publish(
    'skill:calc',
    [tool('add', { input_schema, description, tags: ['math'] }), tool('hidden', { group: 'g' })],
    {
      source: 'skill',
      skill_name: 'calc',
    },
  );
  made.app.tools.publish('host', [tool('bake', { dcc: 'houdini' })], { source: 'host' });
  return made;
}

test('lazy-actions mode lists exactly list_actions, describe_action and call_action [spec:shape:lazy]', async () => {
  const { names } = await lazyRig();
  expect(await names()).toEqual(['list_actions', 'describe_action', 'call_action']);
  const { refused } = await rig();
  expect((await refused('list_actions')).error?.code).toBe(-32000);
});

test('list_actions: compact id, summary, tags; filters dcc and skill', async () => {
  const { call } = await lazyRig();
  const list = async (args = {}) => (await call('list_actions', args)).result?.structuredContent;
  expect(await list({ skill: 'calc' })).toEqual({
    total: 1,
    actions: [{ id: 'add', summary: 'Adds things.', tags: ['math'] }],
  });
  expect(await list({ dcc: 'Houdini' })).toMatchObject({ total: 1, actions: [{ id: 'bake' }] });
  const { actions } = (await list()) as unknown as { actions: { id: string }[] };
  expect(actions.map(each => each.id)).toEqual([
    'activate_tool_group',
    'deactivate_tool_group',
    'search_tools',
    'list_roots',
    'add',
    'bake',
  ]);
});

test('describe_action shows the entry that tools/list would show', async () => {
  const { call, refused } = await lazyRig();
  const plain = await rig();
  plain.app.tools.publish('host', [tool('bake', { dcc: 'houdini' })], { source: 'host' });
  const entry = (await plain.ask('tools/list')).result?.tools?.find(each => each.name === 'bake');
  expect((await call('describe_action', { id: 'bake' })).result?.structuredContent).toEqual(entry);
  expect((await refused('describe_action', { id: 'bka' })).error?.code).toBe(-32000);
  expect((await refused('describe_action')).error?.message).toContain('"id" is required');
});

test('call_action takes the same path as tools/call: same results, errors and events', async () => {
  const { app, call } = await lazyRig();
  const events: unknown[] = [];
  app.kernel.bus.on('tool.*', ({ name, attributes }) => {
    const { duration_ms: _, ...rest } = attributes;
    events.push({ name, attributes: rest });
  });
  for (const [id, args] of [
    ['add', { n: 1 }],
    ['add', { n: 'x' }],
    ['hidden', {}],
    ['nothing', {}],
  ] as const) {
    events.length = 0;
    const direct = await call(id, args);
    const expected = events.splice(0);
    const { result, error } = await call('call_action', { id, args });
    expect({ result, error }).toEqual({ result: direct.result, error: direct.error });
    expect(events).toEqual(expected);
  }
  expect((await call('call_action', { id: 'list_actions' })).result?.structuredContent).toHaveProperty('total');
});

test('call_action: id required, args an object, never itself', async () => {
  const { refused } = await lazyRig();
  expect((await refused('call_action')).error?.message).toContain('"id" is required');
  expect((await refused('call_action', { id: 'add', args: [] })).error?.message).toContain('"args" must be object');
  expect((await refused('call_action', { id: 'call_action' })).error).toMatchObject({
    code: -32001,
    message: expect.stringContaining('"id"'),
  });
});
