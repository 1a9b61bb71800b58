import { expect, test } from 'vitest';
import { replyText } from '../../../kernel/index.ts';
import { context, rig, tool } from './support.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => tool(`t${String(index).padStart(4, '0')}`));
const tick = () => new Promise(resolve => setTimeout(resolve, 5));

test('tools/list is paginated: pages of tools_page_size, every nextCursor followed gives every tool once', async () => {
  const { app, ask, names } = await rig({ tools_page_size: 10 });
  app.tools.publish('h', many(25), { source: 'host' });
  const first = (await ask('tools/list')).result;
  expect(first?.tools).toHaveLength(10);
  expect(first?.nextCursor).toMatch(/^[0-9a-f]+$/);
  const all = await names();
  expect(all).toHaveLength(29);
  expect(new Set(all).size).toBe(29);
  expect(all).toEqual(app.tools.list().map(each => each.name));
});

test('the page size is 32 by default', async () => {
  const { app, ask } = await rig();
  app.tools.publish('h', many(60), { source: 'host' });
  expect((await ask('tools/list')).result?.tools).toHaveLength(32);
});

test('a bad cursor is -32602 and says what to do', async () => {
  const { app, ask } = await rig({ tools_page_size: 10 });
  app.tools.publish('h', many(25), { source: 'host' });
  const hex = (text: string) => Buffer.from(text).toString('hex');
  const { generation } = app.tools;
  const bad = ['', 'x', 'zz', 'abc', '-1', 'f'.repeat(5000), hex('10'), hex(`${generation}:7`), hex(`${generation}:0`)];
  for (const cursor of [...bad, hex(`${generation}:1000`), hex(`${generation + 9}:10`), 7, null, {}, hex('01:10')]) {
    const { error } = await ask('tools/list', { cursor });
    expect([cursor, error?.code, error?.message]).toEqual([cursor, -32602, expect.stringContaining('"cursor"')]);
  }
});

test('a cursor from before a change goes on where it stood', async () => {
  const { app, ask } = await rig({ tools_page_size: 10 });
  const undo = app.tools.publish('h', many(25), { source: 'host' });
  const cursor = (await ask('tools/list')).result?.nextCursor;
  app.tools.publish('h2', [tool('zzz')], { source: 'host' });
  expect((await ask('tools/list', { cursor })).result?.tools).toHaveLength(10);
  await undo();
  expect((await ask('tools/list', { cursor })).result).toEqual({ tools: [] });
});

test('tool-list cache: the same bytes until the generation changes; refresh bypasses it for one request only', async () => {
  const { app } = await rig();
  const page = (params: Record<string, unknown> = {}, protocolVersion = '2025-06-18') => {
    const reply = app.kernel.rpc.dispatch(
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params },
      context(app, { protocolVersion, sessionId: String(Math.random()) }),
    );
    return (reply as { bytes: Buffer }).bytes;
  };
  const first = page();
  expect(page()).toBe(first);
  const fresh = page({ _meta: { dcc: { refresh: true } } });
  expect(fresh).not.toBe(first);
  expect(fresh.equals(first)).toBe(true);
  expect(page()).toBe(first);
  expect(page({}, '2025-03-26')).not.toBe(first);
  app.tools.publish('h', [tool('a')], { source: 'host' });
  const second = page();
  expect(second.includes('"name":"a"')).toBe(true);
  app.tools.changed({ silent: true });
  expect(page()).not.toBe(second);
});

test('enable_tool_cache: false rebuilds the list each time', async () => {
  const { app } = await rig({ enable_tool_cache: false });
  const page = () =>
    (app.kernel.rpc.dispatch({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, context(app)) as { bytes: Buffer }).bytes;
  expect(page()).not.toBe(page());
});

test('a reply is the head and the shared bytes: together one JSON-RPC answer', async () => {
  const { app } = await rig();
  const reply = app.kernel.rpc.dispatch({ jsonrpc: '2.0', id: 'é', method: 'tools/list' }, context(app));
  expect(JSON.parse(replyText(reply as never))).toMatchObject({
    jsonrpc: '2.0',
    id: 'é',
    result: { tools: expect.anything() },
  });
});

test('entries carry what their revision knows, annotations in MCP spelling with deferredHint', async () => {
  const { app, ask } = await rig();
  const definition = {
    title: 'Tool',
    output_schema: { type: 'object' },
    icons: [{ src: 'data:image/png;base64,AA==' }],
    annotations: { read_only_hint: true, destructive_hint: false, idempotent_hint: true, open_world_hint: false },
  };
  app.tools.publish('h', [tool('tool', definition)], { source: 'host' });
  const entry = async (protocolVersion: string) =>
    (await ask('tools/list', {}, { protocolVersion })).result?.tools?.find(each => each.name === 'tool') ?? {};
  const annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
    deferredHint: false,
  };
  const base = { name: 'tool', description: 'Does tool.', inputSchema: { type: 'object' }, annotations };
  expect(await entry('2025-03-26')).toEqual(base);
  const titled = { ...base, title: 'Tool', outputSchema: { type: 'object' } };
  expect(await entry('2025-06-18')).toEqual(titled);
  expect(await entry('2025-11-25')).toEqual({ ...titled, icons: definition.icons });
});

test('stubs: __group__ then __skill__, sorted, after the tools, one line and the minimal schema', async () => {
  const { app, ask, names } = await rig();
  const { tools } = app;
  tools.publish('skill:s', [tool('grouped', { group: 'g2' }), tool('free'), tool('other', { group: 'g1' })], {
    source: 'skill',
    skill_name: 's',
    groups: [
      { name: 'g2', description: 'Second\n  group.', default_active: false },
      { name: 'g1', description: 'First.', default_active: false },
      { name: 'empty', description: 'No tools.', default_active: false },
    ],
  });
  const undo = tools.addStubs(() => [
    { name: '__skill__zeta', description: 'Z.' },
    { name: '__skill__alpha', description: 'A.' },
  ]);
  expect((await names()).slice(4)).toEqual(['free', '__group__g1', '__group__g2', '__skill__alpha', '__skill__zeta']);
  const stub = (await ask('tools/list')).result?.tools?.find(each => each.name === '__group__g2');
  expect(stub).toEqual({
    name: '__group__g2',
    description: 'Second group.',
    inputSchema: { type: 'object' },
    annotations: { deferredHint: true },
  });
  await undo();
  tools.activateGroup('g1');
  expect((await names()).slice(4)).toEqual(['free', 'other', '__group__g2']);
});

test('the capability is tools {listChanged: true}; notifications/tools/list_changed is sent once for a burst', async () => {
  const { app, capabilities, broadcasts } = await rig();
  expect(capabilities.get('tools')).toEqual({ listChanged: true });
  await tick();
  broadcasts.length = 0;
  const undo = app.tools.publish('h', [tool('a', { group: 'g' })], { source: 'host' });
  for (let round = 0; round < 50; round += 1)
    app.tools.publish(`h${round}`, many(1), { source: 'skill', skill_name: `s${round}` });
  app.tools.activateGroup('g');
  expect(broadcasts).toEqual([]);
  await tick();
  expect(broadcasts).toEqual([{ method: 'notifications/tools/list_changed', params: {} }]);
  app.tools.activateGroup('g');
  app.tools.changed({ silent: true });
  await tick();
  expect(broadcasts).toHaveLength(1);
  app.tools.changed();
  await tick();
  await undo();
  await tick();
  expect(broadcasts).toHaveLength(3);
});
