/** Jobs whose instance ends: who follows them through the gateway hears of it. */
import { expect, test } from 'vitest';
import type { StreamEvent } from '../../../../plugins/gateway/backends/api.ts';
import { deliveryErrors } from '../../../../plugins/gateway/delivery/errors.ts';
import { createJobEvents, type JobEventsDeps } from '../../../../plugins/gateway/delivery/job-events.ts';
import { gatewayRestPlugin } from '../../../../plugins/gateway/rest/index.ts';
import { connect, type Json } from '../../../spec/wire.ts';
import { spawnInstance } from '../backends/support.ts';
import { startGateway } from '../rig.ts';
import { gatewayOver } from '../support.ts';

const framesOf = (text: string): Json[] =>
  text
    .split('\n')
    .filter(line => line.startsWith('data: '))
    .map(line => JSON.parse(line.slice(6)) as Json);

test('the process of an instance is killed: its jobs are told as interrupted, and their streams end with that', async () => {
  const gateway = await startGateway([gatewayRestPlugin]);
  const { child, instance_id } = await spawnInstance(gateway);
  await gateway.backend(instance_id);
  await gateway.app.capabilities.refresh();
  const [mine, other] = [await connect(`${gateway.url}/mcp`), await connect(`${gateway.url}/mcp`)];
  const [stream, theirs] = [await mine.stream(), await other.stream()];
  const tool_slug = `maya.${instance_id.slice(0, 8)}.wait`;
  const call = { tool_slug, meta: { dcc: { async: true } } };
  const running = await mine.call('call', { ...call, arguments: { ms: 60_000 } });
  const ended = await mine.call('call', { ...call, arguments: { ms: 0 } });
  const { job_id } = running.structuredContent as Json;
  const of = (id: unknown, status: string) =>
    stream.next(each => each.method === 'notifications/$/dcc.jobUpdated' && is(each.params, { job_id: id, status }));
  await of(job_id, 'running');
  await of((ended.structuredContent as Json).job_id, 'completed');
  const events = await fetch(`${gateway.url}/v1/jobs/${job_id}/events`);
  child.kill('SIGKILL');
  expect(framesOf(await events.text()).at(-1)).toMatchObject({
    type: 'error',
    // Whichever the gateway saw first: a refused connection names the short id, a dead process the whole one.
    error: { kind: 'job-interrupted', message: expect.stringContaining(instance_id.slice(0, 8)) },
  });
  const told = await of(job_id, 'interrupted');
  expect(told.params).toMatchObject({
    tool: 'wait',
    completed_at: expect.any(String),
    error: expect.stringContaining('has ended'),
  });
  // What had ended is not told of again, and nobody else hears of it.
  const interrupted = stream.messages.filter(each => each.params?.status === 'interrupted');
  expect(interrupted).toHaveLength(1);
  expect(theirs.messages.filter(each => each.params?.job_id !== undefined)).toEqual([]);
});

test('an instance that closes says itself that its jobs were interrupted, through the gateway too', async () => {
  const { url, hosts, client } = await gatewayOver([
    {
      setup: server =>
        void server.registerTool(
          { name: 'hold', execution: 'async' },
          (_args, { signal }) => new Promise(resolve => signal.addEventListener('abort', resolve)),
        ),
    },
  ]);
  const wire = await client();
  const stream = await wire.stream();
  const receipt = await wire.call('call', { tool_slug: `maya.${hosts[0]?.short}.hold` });
  const { job_id } = receipt.structuredContent as Json;
  const events = await fetch(`${url}/v1/jobs/${job_id}/events`);
  await hosts[0]?.server.close();
  expect(framesOf(await events.text()).at(-1)).toMatchObject({ type: 'error', error: { kind: 'job-interrupted' } });
  await stream.next(({ params }) => is(params, { job_id, status: 'interrupted', error: 'server restart' }));
});

const is = (params: Json | undefined, fields: Json): boolean =>
  Object.entries(fields).every(([name, value]) => params?.[name] === value);

const event = (type: string): StreamEvent => ({ event: 'job', data: JSON.stringify({ type }) });

/** What comes of streams that are opened one after the other; an error in place of one is why there is none. */
async function followed(streams: readonly (readonly string[] | Error)[], closing = false): Promise<unknown[]> {
  const left = [...streams];
  const jobEvents = async function* (types: readonly string[]) {
    yield* types.map(event);
  };
  const backendOf: JobEventsDeps['backendOf'] = async () => {
    const next = left.shift() ?? [];
    if (next instanceof Error) throw next;
    return { jobEvents: async () => jobEvents(next) };
  };
  const found: unknown[] = [];
  const events = await createJobEvents({ backendOf, closing: () => closing })('j', new AbortController().signal);
  for await (const { data } of events) found.push(JSON.parse(data));
  return found;
}

test('a stream that is cut is taken up again until its last event', async () => {
  expect(await followed([['progress'], [], ['progress', 'done']])).toMatchObject([
    { type: 'progress' },
    { type: 'progress' },
    { type: 'done' },
  ]);
});

test('what cannot be taken up again ends with an event that says why; a gateway that ends says nothing', async () => {
  const unknown = deliveryErrors.JOB_UNKNOWN({ job_id: 'j' });
  expect((await followed([['progress'], unknown])).at(-1)).toMatchObject({
    type: 'error',
    error: { kind: 'not-found' },
  });
  expect((await followed([['progress']])).at(-1)).toMatchObject({
    type: 'error',
    error: { code: 'SVC_RELAY_STREAM_CUT' },
  });
  expect(await followed([['progress'], unknown], true)).toEqual([{ type: 'progress' }]);
  await expect(followed([unknown])).rejects.toThrow('"j"');
});
