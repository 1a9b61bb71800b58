/** Everything that an embedding Node host can do, from a real Python process over the link. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { connect, type Json, type RpcMessage, textJson, type Wire } from '../spec/wire.ts';
import { type FakeHost, startFakeHost } from './fake-host.ts';

let host: FakeHost;
let client: Wire;
let asked: string[] = [];
let folder: string;

const answers: Record<string, (params: Json) => Json> = {
  'elicitation/create': ({ message }) => ({ action: 'accept', content: { shot: String(message) } }),
  'sampling/createMessage': ({ systemPrompt }) => ({
    ...{ role: 'assistant', model: 'test' },
    content: { type: 'text', text: `hi: ${systemPrompt}` },
  }),
  'roots/list': () => ({ roots: [{ uri: 'file:///shots', name: 'shots' }] }),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-parity-'));
  const config = join(folder, 'svc.json');
  // As it is installed: beside the package that it imports.
  const plugin = join(folder, 'plugin.js');
  await cp(join(packageRoot, 'test', 'fixtures', 'outside-plugin', 'index.js'), plugin);
  await mkdir(join(folder, 'node_modules'));
  await symlink(packageRoot, join(folder, 'node_modules', 'svc'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(config, JSON.stringify({ plugins: { [plugin]: { greeting: 'ahoy' } } }));
  host = startFakeHost({ config, options: { log_dir: folder } });
  const { mcp_url } = await host.until(each => each.state === 'connected' && each.mcp_url !== null);
  client = await connect(String(mcp_url), {
    protocolVersion: '2025-06-18',
    capabilities: { elicitation: {}, sampling: {}, roots: {} },
    answer: ({ method = '', params = {} }: RpcMessage) => {
      asked.push(method);
      return answers[method]?.(params) ?? {};
    },
  });
});
afterAll(async () => {
  await host.stop();
  await rm(folder, { recursive: true });
});

const text = (result: Json): string => (result.content as { text: string }[])[0]?.text ?? '';
const ran = async (): Promise<string[]> => (await client.callJson('noted')).ran as string[];
const read = async (uri: string): Promise<Json | undefined> =>
  (((await client.request('resources/read', { uri })).result?.contents ?? []) as Json[])[0];

test('prompts: by a function that returns messages, and by a template', async () => {
  const { prompts } = (await client.result('prompts/list')) as { prompts: Json[] };
  expect(prompts.find(each => each.name === 'talk')).toMatchObject({ title: 'Talk', description: 'Talks.' });
  const said = async (name: string, args: object) =>
    JSON.stringify(await client.result('prompts/get', { name, arguments: args }));
  expect(await said('talk', { who: 'Ada' })).toContain('"role":"assistant","content":{"type":"text","text":"To Ada."}');
  expect(await said('form', { who: 'Ada' })).toContain('Dear Ada,');
  expect((await client.request('prompts/get', { name: 'form', arguments: {} })).error?.message).toContain('who');
});

test('producers: bytes from the pool, templates with completion, registered and taken back while it runs', async () => {
  expect(await read('takes://one')).toEqual({
    ...{ uri: 'takes://one', mimeType: 'application/octet-stream' },
    blob: Buffer.from('takes://one').toString('base64'),
  });
  const ref = { type: 'ref/resource', uri: 'takes://{shot}' };
  const { completion } = await client.result('completion/complete', { ref, argument: { name: 'shot', value: 'on' } });
  expect(completion).toMatchObject({ values: ['one', 'once'] });
  await client.call('brings', { what: 'resource' });
  await expect.poll(() => read('later://1')).toMatchObject({ text: 'here' });
  await client.call('takes_back', { what: 'resource' });
  await expect.poll(() => read('later://1')).toBeUndefined();
});

test('event buffers are asked for pages', async () => {
  expect(JSON.parse(String((await read('events://session/s1'))?.text))).toMatchObject({
    retained_count: 0,
    events: [],
  });
});

test('job types say how their jobs are polled', async () => {
  const told = await client.callJson('jobs_poll_contract', { job_type: 'farm' });
  expect(JSON.stringify(told)).toContain('"noted"');
});

test('the feedback tool is there from the start, and its context comes from the host', async () => {
  const told = await client.callJson('dcc_feedback__report', {
    ...{ phase: 'dispatch', severity: 'blocker', tool_slug: 'add', intent: 'add' },
    ...{ observed: 'nothing', expected: 'a sum', repro: { steps: ['call add'] }, evidence: {} },
  });
  // There is no gateway that could take it.
  expect(told).toMatchObject({ success: false });
  expect(JSON.stringify(told)).toMatch(/gateway/);
  expect(await ran()).toContain('context');
});

test("operations: the server's own, and those that a plugin brings, waited for in the pool or beside the main thread", async () => {
  expect(await client.callJson('operate', { name: 'greet', given: { name: 'Ada' } })).toMatchObject({
    value: { said: 'ahoy, Ada' },
  });
  expect(await client.callJson('operate_later', { name: 'greet', given: { name: 'Grace' } })).toMatchObject({
    value: { said: 'ahoy, Grace' },
  });
  expect(await client.callJson('operate', { name: 'getFeedbackEntries', given: {} })).toEqual({ value: [] });
  const uri = await client.callJson('operate', {
    ...{ name: 'putArtefactFile', given: { path: join(packageRoot, 'LICENSE'), info: { mime: 'text/plain' } } },
  });
  expect(JSON.stringify(uri)).toContain('artefact://');
  expect(text(await client.call('operate', { name: 'greet', given: { name: 'Bob' } }))).toBe(
    'Nobody is named "Bob": give one of Ada, Grace',
  );
  expect(text(await client.call('operate', { name: 'nothing', given: {} }))).toMatch(/nothing/);
  expect(text(await client.call('operate_later', { name: 'greet', given: {} }))).toMatch(/name/);
});

test('events: those of the host reach the bus, those of the bus the host, until it is enough', async () => {
  await client.call('brings', { what: 'listener' });
  await client.call('publish');
  await expect.poll(ran).toEqual(expect.arrayContaining(['studio.published', 'again one', 'studio.greeted']));
  await client.call('takes_back', { what: 'listener' });
  const before = (await ran()).filter(each => each === 'again one').length;
  await client.call('publish');
  await expect.poll(async () => (await ran()).filter(each => each === 'studio.published').length).toBe(2);
  expect((await ran()).filter(each => each === 'again one')).toHaveLength(before);
});

test("errors of the host that no call hears of, and those of its tools, are in the log of the host's errors", async () => {
  await client.call('reports');
  await client.call('fails');
  await client.call('operate', { name: 'greet', given: { name: 'Ada' } });
  const log = async (): Promise<string> => {
    const name = (await readdir(folder)).find(each => each.endsWith('.host-errors.log'));
    return name === undefined ? '' : readFile(join(folder, name), 'utf8');
  };
  await expect.poll(log).toMatch(/"source":"timer".*"message":"ValueError: a timer broke".*Traceback.*in reports/);
  await expect.poll(log).toMatch(/"source":"event studio\.greeted".*"exception_type":"KeyError"/);
  await expect.poll(log).toMatch(/"phase":"dispatch","source":"fake\.fails".*KeyError: 'no such key'/);
});

test('questions to the user, the model and for the folders; a client that cannot be asked is told', async () => {
  asked = [];
  expect(textJson(await client.call('asks'))).toEqual({
    form: { action: 'accept', content: { shot: 'Which?' } },
    said: 'hi: Be brief',
    roots: [{ uri: 'file:///shots', name: 'shots' }],
  });
  expect(asked).toEqual(['elicitation/create', 'sampling/createMessage', 'roots/list']);
  expect(textJson(await client.call('asks_beside'))).toMatchObject({ action: 'accept' });
  expect(text(await client.call('asks_wrongly'))).toMatch(/^RuntimeError: the main thread does not wait/);
  const mute = await connect(client.url, { protocolVersion: '2025-06-18' });
  expect(textJson(await mute.call('asks'))).toMatchObject({ refused: expect.stringMatching(/elicitation/) });
});

test('a prompt may ask before it is rendered', async () => {
  asked = [];
  const said = await client.result('prompts/get', { name: 'choice', arguments: { who: 'Ada' } });
  expect(JSON.stringify(said)).toContain('Ada: Which?');
  expect(asked).toEqual(['elicitation/create']);
});

test('a call lets its client go, who comes back for the answer', async () => {
  const accept = 'application/json, text/event-stream';
  const headers = { 'content-type': 'application/json', accept };
  const post = (message: object, more: Record<string, string> = {}) =>
    fetch(client.url, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const opened = await post({ method: 'initialize', params });
  await opened.text();
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const first = await (
    await post({ method: 'tools/call', params: { name: 'lets_go', arguments: {} } }, session)
  ).text();
  expect(first).toMatch(/^retry: 50$/m);
  expect(first).not.toContain('later');
  const id = [...first.matchAll(/^id: (\S+)/gm)].at(-1)?.[1] ?? '';
  const rest = await fetch(client.url, { headers: { accept: 'text/event-stream', 'last-event-id': id, ...session } });
  expect(await rest.text()).toContain('later');
});
