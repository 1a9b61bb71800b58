/** Calls with a progress token from 2025-06-18 on: a job whose end is waited for, through an instance and a gateway. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, test } from 'vitest';
import type { Server, ServerOptions } from '../../../plugins/index.ts';
import { waitFor } from '../../helper.ts';
import { testServer } from '../../server.ts';
import { connect, type Json, type RpcMessage, type Wire } from '../../spec/wire.ts';
import { gatewayOver } from '../gateway/support.ts';

const output_schema = { type: 'object', properties: { frames: { type: 'integer' } }, required: ['frames'] };

interface Work {
  release(): void;
  readonly aborted: boolean;
}

/** `render` reports, logs and, with `hold`, goes on until it is released or cancelled; `fails` fails. */
function worker(server: Pick<Server, 'registerTool'>): Work {
  let release: () => void = () => undefined;
  let aborted = false;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  server.registerTool({ name: 'render', output_schema }, async ({ hold }, call) => {
    call.progress(1, 3, 'one');
    call.log('debug', 'quietly');
    call.log('warning', 'early');
    call.progress(2, 3);
    if (hold) {
      call.signal.addEventListener('abort', () => {
        aborted = true;
        release();
      });
      await released;
      call.progress(3, 3);
      call.log('error', 'late');
      // What it says has to be on its way before it ends.
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    return { frames: 2 };
  });
  server.registerTool({ name: 'fails', output_schema }, async () => {
    throw new Error('no camera');
  });
  return {
    release: () => release(),
    get aborted() {
      return aborted;
    },
  };
}

interface Place {
  work: Work;
  connect(protocolVersion?: string): Promise<Wire>;
  /** Params of tools/call that reach the tool. */
  params(name: string, args: Json, meta: Json): Json;
}

const places: Record<string, (options?: ServerOptions) => Promise<Place>> = {
  async instance(options = {}) {
    const server = testServer('ambient', options);
    const work = worker(server);
    const url = (await server.start()).mcpUrl();
    return {
      work,
      connect: (protocolVersion = '2025-11-25') => connect(url, { protocolVersion }),
      params: (name, args, _meta) => ({ name, arguments: args, _meta }),
    };
  },
  async gateway(options = {}) {
    let work: Work | undefined;
    const setup = (server: Server): void => {
      work = worker(server);
    };
    const { client, hosts } = await gatewayOver([{ dcc_type: 'maya', setup, options }]);
    const [host] = hosts;
    return {
      work: work as Work,
      connect: (protocolVersion = '2025-11-25') => client({ protocolVersion }),
      params: (name, args, _meta) => ({
        ...{ name: 'call', _meta },
        arguments: { tool_slug: `maya.${host?.short}.${name}`, arguments: args },
      }),
    };
  },
};

const logsOf = (messages: readonly RpcMessage[]) =>
  messages.filter(each => each.method === 'notifications/message').map(each => each.params?.data);
const progressOf = (messages: readonly RpcMessage[]) =>
  messages.filter(each => each.method === 'notifications/progress').map(each => each.params?.progress);

describe.each(Object.keys(places))('through the %s', name => {
  const place = (options?: ServerOptions) => (places[name] as (typeof places)[string])(options);

  test('the answer is the real result with the id of the job; progress and logs come on the stream of the call', async () => {
    const { connect, params } = await place();
    const wire = await connect();
    const answer = await wire.request('tools/call', params('render', {}, { progressToken: 't' }));
    expect(answer.result).toMatchObject({
      structuredContent: { frames: 2 },
      _meta: { dcc: { jobId: expect.any(String), status: 'completed' } },
    });
    expect(answer.result).not.toHaveProperty('isError');
    expect(progressOf(answer.notifications)).toEqual([1, 2]);
    expect(answer.notifications.find(each => each.method === 'notifications/progress')?.params).toEqual({
      ...{ progressToken: 't', progress: 1, total: 3, message: 'one' },
    });
    // The level of the session is the usual one.
    expect(logsOf(answer.notifications)).toEqual(['early']);
    const failed = await wire.request('tools/call', params('fails', {}, { progressToken: 8 }));
    expect(failed.result).toMatchObject({ isError: true });
    expect(JSON.stringify(failed.result)).toContain('no camera');
  });

  test('after job_receipt_after_ms the answer is the receipt: no progress any more, logs on the standing stream, the channels go on', async () => {
    const { connect, params, work } = await place({ job_receipt_after_ms: 100 });
    const wire = await connect();
    const stream = await wire.stream();
    const answer = await wire.request('tools/call', params('render', { hold: true }, { progressToken: 't' }));
    const { job_id } = (answer.result?.structuredContent ?? {}) as Json;
    expect(answer.result).toMatchObject({ structuredContent: { status: 'pending' } });
    expect(progressOf(answer.notifications)).toEqual([1, 2]);
    work.release();
    const done = await stream.next(each => each.params?.job_id === job_id && each.params?.status === 'completed');
    expect(done.method).toBe('notifications/$/dcc.jobUpdated');
    await waitFor(() => logsOf(stream.messages).includes('late'), 'the late log');
    expect(stream.messages.find(each => each.params?.data === 'late')?.params).toMatchObject({
      ...{ level: 'error', logger: 'render', _meta: { dcc: { jobId: job_id } } },
    });
    expect(progressOf(stream.messages)).toEqual([]);
    stream.close();
  });

  test.each([
    ['before', 60_000],
    ['after', 50],
  ])('a cancellation %s the receipt reaches the job', async (_when, job_receipt_after_ms) => {
    const { connect, params, work } = await place({ job_receipt_after_ms });
    const wire = await connect();
    const stream = await wire.stream();
    const body = { jsonrpc: '2.0', id: 77, method: 'tools/call' };
    const call = wire.send({ ...body, params: params('render', { hold: true }, { progressToken: 't' }) });
    const cancel = () => wire.notify('notifications/cancelled', { requestId: 77 });
    if (job_receipt_after_ms < 1000) {
      await call;
      // Another request of the same digits is not it.
      await wire.notify('notifications/cancelled', { requestId: '77' });
      expect(work.aborted).toBe(false);
      await cancel();
    } else {
      await new Promise(resolve => setTimeout(resolve, 300));
      await cancel();
    }
    await waitFor(() => work.aborted, 'the abort');
    await call;
    stream.close();
  });

  test('2025-03-26: the receipt is immediate, progress runs from 0 to 100 on the standing stream, logs too', async () => {
    const { connect, params, work } = await place();
    const wire = await connect('2025-03-26');
    const stream = await wire.stream();
    const answer = await wire.request('tools/call', params('render', { hold: true }, { progressToken: 't' }));
    const result = answer.result as { content: { text: string }[] };
    expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({ status: 'pending' });
    await waitFor(() => logsOf(stream.messages).includes('early'), 'the log');
    work.release();
    await waitFor(() => progressOf(stream.messages).at(-1) === 100, 'the last progress');
    expect(progressOf(stream.messages).slice(0, 2)).toEqual([0, 10]);
    stream.close();
  });
});

test('SDK clients that always send a token see the real result, which fits the output schema that is listed', async () => {
  const server = testServer('ambient');
  worker(server);
  const url = new URL((await server.start()).mcpUrl());
  const seen: number[] = [];
  const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
  const old = new OldClient({ name: 'old', version: '1' });
  await old.connect(new OldTransport(url) as never);
  await old.listTools();
  const params = { name: 'render', arguments: {} };
  expect(await old.callTool(params, undefined, { onprogress })).toMatchObject({ structuredContent: { frames: 2 } });
  const modern = new Client({ name: 'new', version: '1' });
  await modern.connect(new StreamableHTTPClientTransport(url));
  await modern.listTools();
  expect(await modern.callTool(params, { onprogress })).toMatchObject({ structuredContent: { frames: 2 } });
  expect(seen).toEqual([1, 2, 1, 2]);
  expect(await old.callTool({ name: 'fails', arguments: {} }, undefined, { onprogress })).toMatchObject({
    isError: true,
    content: [{ text: 'Tool "fails" failed: no camera' }],
    _meta: { dcc: { jobId: expect.any(String) } },
  });
  await Promise.all([old.close(), modern.close()]);
});

test('a call whose job never begins is answered when it is cancelled or the server ends', async () => {
  const server = testServer('ambient', { max_running_jobs: 1 });
  const work = worker(server);
  const wire = await connect((await server.start()).mcpUrl(), { protocolVersion: '2025-11-25' });
  const render = () =>
    wire.request('tools/call', { name: 'render', arguments: { hold: true }, _meta: { progressToken: 1 } });
  const first = render();
  const second = render();
  await new Promise(resolve => setTimeout(resolve, 200));
  await server.close();
  work.release();
  for (const each of await Promise.allSettled([first, second])) expect(each.status).toBe('fulfilled');
});
