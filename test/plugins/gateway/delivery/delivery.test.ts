/** Progress, job notifications and jobs through the gateway's one connection to an instance. */
import { expect, test } from 'vitest';
import { definePlugin } from '../../../../kernel/index.ts';
import { createDelivery } from '../../../../plugins/gateway/delivery/delivery.ts';
import { createMemoryOutbox, createMemoryOwners } from '../../../../plugins/gateway/delivery/memory-store.ts';
import { deliveryPlugin } from '../../../contracts/rooms.ts';
import { waitFor } from '../../../helper.ts';
import { connect, type Json } from '../../../spec/wire.ts';
import { gatewayRig, type InstanceInput } from '../rig.ts';

/** The least that a gateway does with a call: one method that names the instance. */
const throughPlugin = definePlugin(
  { name: 'through', dependencies: ['delivery', 'backends'] },
  (app, { kernel, scope }) => {
    scope.add(
      'through',
      kernel.rpc.method('through', async (params, rpc) => {
        const backend = app.backends.get(String(params.instance));
        const delivery = app.delivery.begin(backend.instance_id, {
          meta: params._meta as Json | undefined,
          caller: rpc,
        });
        let jobId: string | undefined;
        try {
          const { onNotification, meta } = delivery;
          const result = (await backend.request(
            'tools/call',
            { name: params.name, arguments: params.arguments, ...(meta && { _meta: meta }) },
            { onNotification, signal: rpc.signal },
          )) as { structuredContent?: { job_id?: string } };
          jobId = result.structuredContent?.job_id;
          return result;
        } finally {
          delivery.settled(jobId);
        }
      }),
    );
  },
);

const plugins = [deliveryPlugin, throughPlugin];

/** An instance with a long tool that reports, in place or as a job, until `release`. */
function worker() {
  let release: () => void = () => undefined;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const handler: NonNullable<InstanceInput['tools']>[number]['handler'] = async (_args, call) => {
    for (let step = 1; step <= 3; step += 1) call.progress(step, 3, `step ${step}`);
    await Promise.race([released, new Promise(resolve => call.signal.addEventListener('abort', resolve))]);
    if (call.signal.aborted) throw new Error('stopped');
    return { done: true };
  };
  const definition = (name: string, execution: 'sync' | 'async') => ({ name, description: 'Works.', execution });
  const input: InstanceInput = {
    dcc_type: 'maya',
    tools: [
      { definition: definition('work', 'sync'), handler },
      { definition: definition('long_work', 'async'), handler },
    ],
  };
  return { input, release: () => release() };
}

const methods = (messages: readonly { method?: string }[], method: string) =>
  messages.filter(each => each.method === method);

test('two clients with the same progress token each hear of their own call', async () => {
  const { input, release } = worker();
  const { url, instances } = await gatewayRig(plugins, [input]);
  const options = { protocolVersion: '2025-11-25' };
  const [first, second] = [await connect(`${url}/mcp`, options), await connect(`${url}/mcp`, options)];
  const call = (client: typeof first) =>
    client.request('through', {
      instance: instances[0]?.id,
      name: 'work',
      arguments: {},
      _meta: { progressToken: 't' },
    });
  const answers = [call(first), call(second)];
  setTimeout(release, 300);
  for (const answer of await Promise.all(answers)) {
    expect(answer.result).toMatchObject({ structuredContent: { done: true } });
    const told = methods(answer.notifications, 'notifications/progress');
    expect(told.length).toBeGreaterThan(0);
    for (const each of told as { params?: Json }[]) expect(each.params?.progressToken).toBe('t');
  }
});

test('a job is told to the client that started it, and to no other', async () => {
  const { input, release } = worker();
  const { url, instances } = await gatewayRig(plugins, [input]);
  const [mine, other] = [await connect(`${url}/mcp`), await connect(`${url}/mcp`)];
  const [stream, theirs] = [await mine.stream(), await other.stream()];
  const receipt = await mine.result('through', {
    ...{ instance: instances[0]?.id, name: 'long_work', arguments: {} },
    _meta: { progressToken: 7 },
  });
  const { job_id } = receipt.structuredContent as Json;
  release();
  await stream.next(each => each.method === 'notifications/$/dcc.jobUpdated' && each.params?.status === 'completed');
  const updates = methods(stream.messages, 'notifications/$/dcc.jobUpdated') as { params?: Json }[];
  expect(new Set(updates.map(each => each.params?.job_id))).toEqual(new Set([job_id]));
  const progress = methods(stream.messages, 'notifications/progress') as { params?: Json }[];
  expect(new Set(progress.map(each => each.params?.progressToken))).toEqual(new Set([7]));
  expect(theirs.messages).toEqual([]);
  stream.close();
  theirs.close();
});

test('what a job logs reaches its client at the level that this client set', async () => {
  const said: InstanceInput = {
    dcc_type: 'maya',
    tools: [
      {
        definition: { name: 'talk', description: 'Talks.', execution: 'async' },
        handler: (_args, call) => {
          call.log('debug', 'a detail');
          call.log('info', 'the news');
          return { done: true };
        },
      },
    ],
  };
  const { url, instances } = await gatewayRig(plugins, [said]);
  const [curious, usual] = [await connect(`${url}/mcp`), await connect(`${url}/mcp`)];
  await curious.result('logging/setLevel', { level: 'debug' });
  for (const [client, expected] of [
    [curious, ['debug', 'info']],
    [usual, ['info']],
  ] as const) {
    const stream = await client.stream();
    const answer = await client.request('through', { instance: instances[0]?.id, name: 'talk', arguments: {} });
    const levels = () =>
      [...methods(answer.notifications, 'notifications/message'), ...methods(stream.messages, 'notifications/message')]
        .map(each => (each as { params?: Json }).params?.level)
        .sort();
    await waitFor(() => levels().includes('info'), 'the news');
    expect(levels()).toEqual(expected);
    stream.close();
  }
});

test('the events of a job are streamed from its owner, and a DELETE reaches it', async () => {
  const { input } = worker();
  const { url, instances } = await gatewayRig(plugins, [{ dcc_type: 'blender' }, input]);
  const client = await connect(`${url}/mcp`);
  const call = { instance: instances[1]?.id, name: 'long_work', arguments: {} };
  const receipt = await client.result('through', call);
  const { job_id } = receipt.structuredContent as Json;
  const events = await fetch(`${url}/v1/jobs/${job_id}/events`);
  expect(events.headers.get('content-type')).toBe('text/event-stream');
  const text = events.text();
  expect((await fetch(`${url}/v1/jobs/${job_id}`, { method: 'DELETE' })).status).toBe(204);
  expect(await text).toMatch(/event: job\ndata: \{"type":"error"/);
  await waitFor(async () => {
    const { result } = await client.request('through', {
      ...call,
      name: 'jobs_get_status',
      arguments: { job_id },
    });
    return (result?.structuredContent as Json | undefined)?.status === 'cancelled';
  }, 'the cancelled job');
});

test('a job that was started elsewhere is found by asking; one that nobody knows is a 404 that names it', async () => {
  const { input, release } = worker();
  const { url, instances } = await gatewayRig(plugins, [{ dcc_type: 'blender' }, input]);
  const direct = await connect(instances[1]?.service.mcpUrl() ?? '');
  const receipt = await direct.result('tools/call', { name: 'long_work', arguments: {} });
  const { job_id } = receipt.structuredContent as Json;
  const events = await fetch(`${url}/v1/jobs/${job_id}/events`);
  expect(events.status).toBe(200);
  release();
  expect(await events.text()).toContain('"type":"done"');
  const unknown = await fetch(`${url}/v1/jobs/none/events`);
  expect(unknown.status).toBe(404);
  expect(await unknown.text()).toContain('none');
});

test('a valid progress token is replaced; the alias counts only where the standard name is absent', () => {
  const delivery = createDelivery({
    mcp: {
      notify: () => false,
      broadcast: () => undefined,
      sessions: { size: 0, get: () => undefined, list: () => [], handOn: () => [], adopt: async () => undefined },
    },
    tokenPrefix: 'gw',
    owners: createMemoryOwners(),
    outbox: createMemoryOutbox(),
    guarded: () => false,
    log: { error: () => undefined },
  });
  const metaOf = (meta: Json) => delivery.begin('i', { meta, caller: { notify: () => undefined } }).meta;
  expect(metaOf({ progress_token: 'p', other: 1 })).toEqual({ progressToken: expect.stringMatching(/^gw-/), other: 1 });
  expect(metaOf({ progressToken: 0 })).toEqual({ progressToken: expect.stringMatching(/^gw-/) });
  expect(metaOf({ progressToken: null, progress_token: 'p' })).toEqual({ progressToken: null });
  for (const token of [null, true, [1], {}, Number.NaN]) {
    expect(metaOf({ progressToken: token })).toEqual({ progressToken: token });
  }
  // REST, and who waits here for the end, are to have the receipt at once.
  const asking = { progressToken: expect.stringMatching(/^gw-/), dcc: { async: true } };
  expect(delivery.begin('i', { meta: { progressToken: 1 } }).meta).toEqual(asking);
  expect(metaOf({ progressToken: 1, dcc: { wait_for_terminal: true } })).toMatchObject(asking);
  delivery.dispose();
});

test('a job that was begun without a session is told to all, and to nobody where callers authenticate', async () => {
  for (const guarded of [false, true]) {
    const told: unknown[] = [];
    const delivery = createDelivery({
      mcp: {
        notify: () => false,
        broadcast: (_method, params) => void told.push(params?.status),
        sessions: { size: 0, get: () => undefined, list: () => [], handOn: () => [], adopt: async () => undefined },
      },
      tokenPrefix: 'gw',
      owners: createMemoryOwners(),
      outbox: createMemoryOutbox(),
      guarded: () => guarded,
      log: { error: () => undefined },
    });
    await delivery.begin('i', { caller: {} }).settled('j');
    await delivery.take('i', 'notifications/$/dcc.jobUpdated', { job_id: 'j', status: 'running' });
    expect(told).toEqual(guarded ? [] : ['running']);
    delivery.dispose();
  }
});
