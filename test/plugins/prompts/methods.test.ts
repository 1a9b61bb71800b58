import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { promptApp, prompting, promptsYaml, sdkClient, textOf } from './support.ts';

const values =
  'prompts:\n  - name: pick\n    title: Pick one\n    arguments:\n      - { name: axis, values: [x, y, z, X2], required: true }\n      - { name: size, enum: [1, 2], default: 2 }\n      - name: free\n    template: "{{axis}}/{{size}}/{{free}}/{{ unknown }}"\n';

test('SPEC prompts/list: the SDK client lists, gets and completes the prompts of a loaded skill', async () => {
  const { app, url } = await promptApp({ alpha: prompting('alpha', { 'prompts.yaml': values }) });
  const { client, told } = await sdkClient(url);
  expect(client.getServerCapabilities()?.prompts).toEqual({ listChanged: true });
  expect((await client.listPrompts()).prompts).toEqual([]);
  await client.callTool({ name: 'load_skill', arguments: { skill_name: 'alpha' } });
  // At once, without waiting for the notification.
  expect((await client.listPrompts()).prompts).toEqual([
    {
      name: 'pick',
      title: 'Pick one',
      arguments: [
        { name: 'axis', required: true },
        { name: 'size', required: false },
        { name: 'free', required: false },
      ],
    },
  ]);
  const rendered = await client.getPrompt({ name: 'pick', arguments: { axis: 'x', other: 'ignored' } });
  expect(rendered.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'x/2//{{ unknown }}' } }]);
  const complete = async (name: string, value: string) =>
    (await client.complete({ ref: { type: 'ref/prompt', name: 'pick' }, argument: { name, value } })).completion.values;
  expect(await complete('axis', 'X')).toEqual(['x', 'X2']);
  expect(await complete('size', '')).toEqual(['1', '2']);
  expect(await complete('free', 'a')).toEqual([]);
  expect(await complete('nothing', 'a')).toEqual([]);
  await waitFor(() => told.count === 1, 'list_changed');
  await app.skills.unload('alpha');
  await waitFor(() => told.count === 2, 'list_changed on unload');
  expect((await client.listPrompts()).prompts).toEqual([]);
});

test('a missing required argument is -32602 and named; so is an unknown prompt, as MCP asks [spec:shape:prompts]', async () => {
  const { app, url } = await promptApp({ alpha: prompting('alpha', { 'prompts.yaml': values }) });
  await app.skills.load('alpha');
  const { client } = await sdkClient(url);
  const refused = (params: Record<string, unknown>) =>
    client.getPrompt(params as never).then(
      () => undefined,
      error => error,
    );
  expect(await refused({ name: 'pick' })).toMatchObject({ code: -32602, message: expect.stringContaining('"axis"') });
  const inherited = await refused({ name: 'pick', arguments: Object.create({ axis: 'x' }) });
  expect(inherited).toMatchObject({ code: -32602 });
  expect(await refused({ name: 'gone' })).toMatchObject({ code: -32602, message: expect.stringContaining('"gone"') });
  expect(await refused({ name: '__proto__' })).toMatchObject({ code: -32602 });
  const long = await refused({ name: 'pick', arguments: { axis: 'x'.repeat(1024 * 1024 + 1) } });
  expect(long).toMatchObject({ code: -32602, message: expect.stringContaining('longer than') });
  const raw = async (params: unknown) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const id = (await client.transport) as unknown as { sessionId: string };
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'mcp-session-id': id.sessionId },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'prompts/get', params }),
    });
    return (await answer.json()) as { error?: { code: number; message: string } };
  };
  for (const params of [
    {},
    { name: 7 },
    { name: '' },
    { name: 'pick', arguments: [] },
    { name: 'pick', arguments: 'x' },
  ]) {
    expect((await raw(params)).error).toMatchObject({ code: -32602 });
  }
  expect((await raw({ name: 'pick', arguments: { axis: {} } })).error?.message).toContain('must be a text');
  expect((await raw({ name: 'pick', arguments: { axis: 3 } })).error).toBeUndefined();
  const unknown = client.complete({ ref: { type: 'ref/prompt', name: 'gone' }, argument: { name: 'a', value: '' } });
  await expect(unknown).rejects.toMatchObject({ code: -32602 });
});

test('prompts/list is paginated, in the order of the names; a cursor that is not ours is -32602', async () => {
  const names = Array.from({ length: 230 }, (_, index) => `p${String(index).padStart(3, '0')}`);
  const { app, url } = await promptApp({
    alpha: prompting('alpha', { 'prompts.yaml': promptsYaml(...names.toReversed()) }),
  });
  await app.skills.load('alpha');
  const { client } = await sdkClient(url);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listPrompts(cursor === undefined ? {} : { cursor });
    seen.push(...page.prompts.map(each => each.name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(names);
  await expect(client.listPrompts({ cursor: 'nonsense' })).rejects.toMatchObject({ code: -32602 });
});

test('of two skills with one prompt name the later has <skill>.<name>; the full name always works', async () => {
  const { app } = await promptApp({
    alpha: prompting('alpha', { 'prompts.yaml': promptsYaml('review') }),
    beta: prompting('beta', { 'prompts.yaml': promptsYaml('review', 'own') }),
  });
  const names = async () => {
    await app.prompts.settled();
    return app.prompts.list().map(each => each.name);
  };
  await Promise.all([app.skills.load('beta'), app.skills.load('alpha')]);
  expect(await names()).toEqual(['alpha.review', 'own', 'review']);
  expect(textOf(await app.prompts.render('beta.review', { path: 'p' }))).toBe('review of p');
  await app.skills.unload('beta');
  expect(await names()).toEqual(['review']);
  expect(textOf(await app.prompts.render('alpha.review', { path: 'p' }))).toBe('review of p');
  expect(() => app.prompts.render('beta.review', {})).toThrow(/No prompt is named/);
});

test('clients are told once for all that one load brings, and not when nothing changed', async () => {
  const { app, url } = await promptApp({
    base: prompting('base', { 'prompts.yaml': promptsYaml('a') }),
    top: prompting('top', { 'prompts.yaml': promptsYaml('b') }, '    depends: [base]'),
    plain: prompting('plain', {}),
  });
  const { client, told } = await sdkClient(url);
  await client.ping();
  await app.skills.load('top');
  await waitFor(() => told.count > 0, 'list_changed');
  await app.skills.load('plain');
  await app.skills.unload('plain');
  await app.prompts.settled();
  await client.ping();
  await new Promise(resolve => setTimeout(resolve, 100));
  expect(told.count).toBe(1);
  expect((await client.listPrompts()).prompts.map(each => each.name)).toEqual(['a', 'b']);
});

test('publish replaces in one step; a disposer that was replaced removes nothing', async () => {
  const { app } = await promptApp({});
  const prompt = (name: string) => ({ name, arguments: [], template: name });
  const first = app.prompts.publish('me', [prompt('one')]);
  const second = app.prompts.publish('me', [prompt('two')]);
  await first();
  expect(app.prompts.list().map(each => each.name)).toEqual(['two']);
  await second();
  expect(app.prompts.list()).toEqual([]);
});

test('loads and unloads in a storm leave exactly what is loaded', async () => {
  const { app } = await promptApp({ alpha: prompting('alpha', { 'prompts.yaml': promptsYaml('one') }) });
  for (let round = 0; round < 20; round += 1) {
    await app.skills.load('alpha');
    if (round % 3 === 0) await app.prompts.settled();
    await app.skills.unload('alpha');
    if (round % 2 === 0) expect(app.prompts.list()).toEqual([]);
  }
  await app.skills.load('alpha');
  await app.prompts.settled();
  expect(app.prompts.list()).toHaveLength(1);
});
