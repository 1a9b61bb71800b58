/** The link to a host that is not Node: the real module in a plain Python, the built companion, real pipes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Json, textJson, type Wire } from '../spec/wire.ts';
import { type FakeHost, startFakeHost } from './fake-host.ts';

let host: FakeHost;
let client: Wire;

beforeAll(async () => {
  host = startFakeHost({ options: { request_timeout_ms: 3000, max_request_body_bytes: 16 * 1024 * 1024 } });
  client = await host.client();
});
afterAll(() => host.stop());

const text = (result: Json): string => (result.content as { text: string }[])[0]?.text ?? '';
const failure = (result: Json) => ({
  isError: result.isError,
  text: text(result),
  ...((result._meta as { dcc: { error: Json } } | undefined)?.dcc.error ?? {}),
});
const noted = async (): Promise<{ ran: string[]; cancelled: string[]; undone: string[] }> =>
  (await client.callJson('noted')) as never;
const health = async (): Promise<{ state: string; tool: string | null }> =>
  ((await (await fetch(new URL('/health', client.url))).json()) as { host: never }).host;

describe('a tool of the host', () => {
  test('says of itself what its hints and its docstring say', async () => {
    const tools = await client.tools();
    expect(tools.find(each => each.name === 'add')).toMatchObject({
      description: 'Adds two numbers.',
      inputSchema: {
        type: 'object',
        properties: {
          a: { type: 'integer', description: 'the first' },
          b: { type: 'integer', description: 'the second', default: 2 },
        },
        required: ['a'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
    });
    expect(text(await client.call('add', { a: 3 }))).toBe('5');
    expect(failure(await client.call('add', { a: 'three' }))).toMatchObject({ code: 'SVC_TOOLS_INVALID_ARGUMENTS' });
  });

  test('of a thread runs beside the main thread', async () => {
    const held = client.call('hold', { ms: 200 });
    expect(text(await client.call('beside'))).toBe('svc_host pool');
    expect(text(await held)).toBe('held');
  });

  test('raises: the caller gets the text and where; what its author raised arrives as it is', async () => {
    expect(failure(await client.call('fails'))).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^KeyError: 'no such key' \(at fake-host\.py:\d+ in fails\)$/),
      code: 'SVC_HOST_LINK_FAILED',
    });
    expect(failure(await client.call('refuses', { name: 'Cube' }))).toEqual({
      isError: true,
      text: 'No object is named Cube',
      code: 'NO_OBJECT',
      message: 'No object is named Cube',
      name: 'Cube',
      retryable: false,
    });
  });

  test('returns no JSON: told; prints: the pipe does not mind', async () => {
    expect(failure(await client.call('no_json'))).toMatchObject({
      text: 'The call has run, but its result is not JSON (Object of type set is not JSON serializable). Return plain data',
      host_code: 'RESULT_NOT_JSON',
    });
    expect(text(await client.call('prints'))).toBe('printed');
    expect(text(await client.call('add', { a: 1 }))).toBe('3');
  });

  test('registers twice: the other is refused, a schema that is none is told in the log', async () => {
    expect(text(await client.call('register', { name: 'add' }))).toMatch(
      /"add" is registered already by __main__\.add/,
    );
    expect(text(await client.call('register', { name: 'odd', schema: { type: 'nothing' } }))).toBe('registered');
    await expect.poll(() => client.call('size', { text: '' }).then(text)).toBe('0');
    expect((await client.tools()).some(each => each.name === 'odd')).toBe(false);
    expect(text(await client.call('register', { name: 'late' }))).toBe('registered');
    await expect.poll(() => client.call('late').then(text, () => '')).toBe('late');
  });
});

describe('what else a host brings', () => {
  test('scene, documents, resources, a prompt, events and an undo step', async () => {
    const { contents } = (await client.result('resources/read', { uri: 'scene://current' })) as { contents: Json[] };
    expect(JSON.parse(String(contents[0]?.text))).toEqual({ objects: ['Cube'] });
    const shot = (await client.result('resources/read', { uri: 'shots://1' })) as { contents: Json[] };
    expect(JSON.parse(String(shot.contents[0]?.text))).toEqual({ uri: 'shots://1' });
    expect((await client.request('resources/read', { uri: 'shots://2' })).error).toBeDefined();
    const { messages } = await client.result('prompts/get', { name: 'greet', arguments: { who: 'Ada' } });
    expect(messages).toMatchObject([{ content: { text: 'Greet Ada.' } }]);
    await client.call('publish');
    await expect.poll(async () => (await noted()).ran).toContain('studio.published');
    const { undone } = await noted();
    expect(undone).toContain('publish');
    expect(undone).not.toContain('fails');
  });
});

describe('many calls', () => {
  test('a burst of 500 is answered, in order', async () => {
    const before = (await noted()).ran.length;
    const names = Array.from({ length: 500 }, (_, index) => `burst ${index}`);
    const answers = await Promise.all(names.map(each => client.call('note', { text: each })));
    expect(answers.filter(each => each.isError)).toEqual([]);
    expect((await noted()).ran.slice(before).sort()).toEqual([...names].sort());
  });

  test('of one caller do not hold up another', async () => {
    const other = await connect(client.url, { protocolVersion: '2025-06-18' });
    const before = (await noted()).ran.length;
    const burst = Array.from({ length: 100 }, () => client.call('hold', { ms: 20 }));
    await sleep(20);
    await other.call('note', { text: 'other' });
    // As many as are at the host already stand before it.
    expect((await noted()).ran.slice(before).indexOf('other')).toBeLessThan(60);
    await Promise.all(burst);
  });
});

describe('time', () => {
  test('a job steps between other calls, tells its progress, and ends at once when it is cancelled', async () => {
    const job = textJson(await client.call('steps', { count: 5 }));
    const status = async (id: unknown) =>
      (await client.callJson('jobs_get_status', { job_id: id, include_result: true })) as Json;
    await expect.poll(() => status(job.job_id)).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(await status(job.job_id))).toContain('done');

    const endless = textJson(await client.call('steps', { count: 1_000_000, pause: 0.001 }));
    await expect.poll(() => status(endless.job_id)).toMatchObject({ status: 'running' });
    const began = performance.now();
    expect(text(await client.call('add', { a: 1 }))).toBe('3');
    // Not behind the million steps.
    expect(performance.now() - began).toBeLessThan(10_000);
    await client.call('jobs_cancel', { job_id: endless.job_id });
    await expect.poll(() => status(endless.job_id)).toMatchObject({ status: 'cancelled' });
    await expect.poll(async () => (await noted()).cancelled.toSorted()).toEqual(['closed', 'told']);
  });

  test('a host that holds the interpreter: the server answers, and says who does', async () => {
    const spun = client.call('spin', { ms: 3500 });
    await sleep(100);
    const began = performance.now();
    await client.result('tools/list');
    // Not when the interpreter is free again, after 3.4 s.
    expect(performance.now() - began).toBeLessThan(3000);
    await expect.poll(health).toMatchObject({ state: 'busy', tool: 'spin' });
    expect(failure(await spun).text).toContain('may still be running');
    await expect.poll(health).toMatchObject({ state: 'connected' });
  });

  test('a handler that calls svc and waits for it on the main thread is told, and nobody else is held up for long', async () => {
    const asked = { url: client.url, session: client.sessionId, secs: 0.5 };
    expect(failure(await client.call('within', asked)).text).toMatch(/not answered: .*timed out/);
    expect(text(await client.call('add', { a: 1 }))).toBe('3');
  });
});

describe('8 MiB', () => {
  test('a result and arguments up to that pass, larger ones are told', async () => {
    expect(text(await client.call('large', { mib: 7 }))).toHaveLength(7 * 1024 * 1024);
    expect(failure(await client.call('large', { mib: 9 })).text).toMatch(/it is 9\.0 MiB long, the link carries 8 MiB/);
    expect(text(await client.call('size', { text: 'x'.repeat(6_000_000) }))).toBe('6000000');
    expect(failure(await client.call('size', { text: 'x'.repeat(9_000_000) }))).toMatchObject({
      code: 'SVC_HOST_LINK_TOO_LARGE',
      text: expect.stringContaining('the link to the host carries 8388608: pass a path instead'),
    });
  });
});

// The last: from then on every call asks the host first.
test('a hook of the host forbids a call', async () => {
  await client.call('forbid', { name: 'note' });
  await expect.poll(async () => text(await client.call('note', { text: 'forbidden' }))).toContain('Not today.');
  expect(text(await client.call('add', { a: 1 }))).toBe('3');
});
