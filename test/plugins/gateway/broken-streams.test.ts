/** A client of the gateway whose event streams break while instances go on telling. */
import { get, request } from 'node:http';
import { createParser } from 'eventsource-parser';
import { expect, onTestFinished, test } from 'vitest';
import type { ServerOptions } from '../../../plugins/index.ts';
import { gatewayPlugins } from '../../../plugins/index.ts';
import { waitFor } from '../../helper.ts';
import { connect, type RpcMessage, type Wire } from '../../spec/wire.ts';
import { gatewayRig, type InstanceInput } from './rig.ts';

type Event = { id: string; message: RpcMessage };

/** A stream on a socket that the test may break as a network does. */
function rawStream(client: Wire, url: string, options: { lastEventId?: string | undefined; body?: unknown } = {}) {
  const { lastEventId, body } = options;
  const headers = {
    accept: body === undefined ? 'text/event-stream' : 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-session-id': client.sessionId,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  const events: Event[] = [];
  const state = { status: 0, ended: false, text: '' };
  const parser = createParser({
    onEvent: ({ id = '', event, data }) => {
      if (data && event !== 'endpoint') events.push({ id, message: JSON.parse(data) as RpcMessage });
    },
  });
  const asked = (body === undefined ? get : request)(url, { headers, agent: false, method: body ? 'POST' : 'GET' });
  asked.on('response', answer => {
    state.status = answer.statusCode ?? 0;
    answer.setEncoding('utf8').on('data', (text: string) => {
      state.text += text;
      parser.feed(text);
    });
    answer.on('end', () => {
      state.ended = true;
    });
    answer.on('error', () => undefined);
  });
  asked.on('error', () => undefined);
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  onTestFinished(() => void asked.destroy());
  return {
    events,
    state,
    opened: () => waitFor(() => state.status, 'the head of the stream'),
    break: () => void asked.destroy(),
  };
}

/** An instance with a tool that reports every step that the test lets it make, in place or as a job. */
function worker() {
  let allowed = 0;
  let told = 0;
  const handler: NonNullable<InstanceInput['tools']>[number]['handler'] = async ({ steps }, call) => {
    for (let step = 1; step <= Number(steps); step += 1) {
      await waitFor(() => allowed >= step || call.signal.aborted, `step ${step}`, 20_000);
      if (call.signal.aborted) throw new Error('stopped');
      call.progress(step, Number(steps), `step ${step}`);
      told = step;
      // Progress of one turn may be told as one.
      await new Promise(resolve => setTimeout(resolve, 150));
    }
    return { steps };
  };
  const definition = (name: string, execution: 'sync' | 'async') => ({
    ...{ name, execution, description: 'Works.' },
    input_schema: { type: 'object', properties: { steps: { type: 'number' } } },
  });
  const input: InstanceInput = {
    dcc_type: 'maya',
    tools: [
      { definition: definition('work', 'sync'), handler },
      { definition: definition('long_work', 'async'), handler },
    ],
  };
  return {
    input,
    async let(steps: number) {
      allowed = steps;
      await waitFor(() => told >= steps, `${steps} steps`, 20_000);
    },
  };
}

async function rig(options: ServerOptions = {}) {
  const plugins = await Promise.all(gatewayPlugins.map(each => each.load()));
  const { input, let: allow } = worker();
  const made = await gatewayRig(plugins, [input], options);
  const [maya] = made.instances;
  if (!maya) throw new Error('no instance');
  await waitFor(() => made.app.capabilities.ofInstance(maya.id).length === 2, 'the tools');
  const call = (name: string, steps: number, token: string) => ({
    name: 'call',
    arguments: { tool_slug: `maya.${maya.id8}.${name}`, arguments: { steps }, meta: { progressToken: token } },
    _meta: { progressToken: token },
  });
  const client = await connect(`${made.url}/mcp`, { protocolVersion: '2025-06-18' });
  return { ...made, maya, allow, call, client, mcp: `${made.url}/mcp` };
}

/** The steps that were told, in order; a job's own states are not steps. */
const stepsOf = (events: readonly Event[]): number[] =>
  events
    .filter(each => each.message.method === 'notifications/progress')
    .flatMap(each => Number(/^step (\d+)$/.exec(String(each.message.params?.message))?.[1] ?? []))
    .filter(step => step > 0);

test('what a client misses while its GET stream is broken is replayed once, in order, and to it alone', async () => {
  const { client, mcp, maya, call, allow, app } = await rig();
  const other = await connect(mcp, { protocolVersion: '2025-06-18' });
  const uri = `scene://${maya.id8}/current`;
  await client.result('resources/subscribe', { uri });
  const theirs = rawStream(other, mcp);
  const first = rawStream(client, mcp);
  await Promise.all([theirs.opened(), first.opened()]);
  await client.result('tools/call', call('long_work', 6, 'mine'));
  await allow(2);
  await waitFor(() => stepsOf(first.events).includes(2), 'the first steps');
  first.break();
  const session = app.mcp.sessions.get(client.sessionId) as unknown as { standing: { attached: boolean } };
  await waitFor(() => !session.standing.attached, 'the break');

  await allow(4);
  await maya.server.resources().setScene({ frame: 7 });
  app.mcp.broadcast('notifications/tools/list_changed');
  await waitFor(() => theirs.events.some(each => each.message.method?.endsWith('tools/list_changed')), 'the broadcast');
  await new Promise(resolve => setTimeout(resolve, 300));

  const again = rawStream(client, mcp, { lastEventId: first.events.at(-1)?.id });
  await again.opened();
  await allow(6);
  await waitFor(() => again.events.some(each => each.message.params?.progress === 100), 'the end of the job');
  const all = [...first.events, ...again.events];
  expect(stepsOf(all)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(all.map(each => Number(each.id.split('-')[1]))).toEqual(all.map((_each, index) => index + 1));
  const methods = again.events.map(each => each.message.method);
  expect(methods.filter(each => each === 'notifications/resources/updated')).toHaveLength(1);
  expect(methods.filter(each => each === 'notifications/tools/list_changed')).toHaveLength(1);
  expect(stepsOf(theirs.events)).toEqual([]);
  expect(theirs.events.some(each => each.message.method === 'notifications/resources/updated')).toBe(false);

  // The same position once more gives the same again: the client may break before it has read the replay.
  again.break();
  const third = rawStream(client, mcp, { lastEventId: first.events.at(-1)?.id });
  await waitFor(() => third.events.length >= again.events.length, 'the second replay');
  expect(third.events.map(each => each.id)).toEqual(again.events.map(each => each.id));
}, 30_000);

test('a client that comes back too late gets the newest that is kept; an id that was never given is refused', async () => {
  const { client, mcp, call, allow } = await rig({ sse_replay_events: 3 });
  const first = rawStream(client, mcp);
  await first.opened();
  first.break();
  await client.result('tools/call', call('long_work', 5, 'mine'));
  await allow(5);
  const replay = async () => {
    const stream = rawStream(client, mcp, { lastEventId: '0-0' });
    await waitFor(() => stream.events.length >= 3, 'the replay');
    stream.break();
    return stream;
  };
  const isOver = ({ message }: Event): boolean => message.params?.progress === 100;
  await waitFor(async () => (await replay()).events.some(isOver), 'the end of the job');
  const gap = await replay();
  expect(gap.events).toHaveLength(3);
  const positions = gap.events.map(each => Number(each.id.split('-')[1]));
  // The gap shows in the ids.
  expect(positions[0]).toBeGreaterThan(1);
  expect(positions).toEqual([0, 1, 2].map(step => Number(positions[0]) + step));
  for (const lastEventId of ['zz-4', 'nonsense', 'c3a9-9999']) {
    const refused = rawStream(client, mcp, { lastEventId });
    expect(await refused.opened()).toBe(400);
    await waitFor(() => refused.state.ended, 'the refusal');
    expect(refused.state.text).toContain('SVC_MCP_NOTHING_TO_REPLAY');
  }
}, 30_000);

test('the stream of a call through the gateway breaks in the middle: GET goes on with it up to the answer', async () => {
  const { client, mcp, call, allow } = await rig();
  const body = { jsonrpc: '2.0', id: 77, method: 'tools/call', params: call('work', 4, 'mine') };
  const broken = rawStream(client, mcp, { body });
  await allow(2);
  await waitFor(() => stepsOf(broken.events).includes(2), 'the first steps');
  broken.break();
  await allow(3);
  const again = rawStream(client, mcp, { lastEventId: broken.events.at(-1)?.id });
  expect(await again.opened()).toBe(200);
  await allow(4);
  await waitFor(() => again.state.ended, 'the end of the stream', 10_000);
  const all = [...broken.events, ...again.events];
  expect(stepsOf(all)).toEqual([1, 2, 3, 4]);
  expect(again.events.at(-1)?.message).toMatchObject({ id: 77, result: { content: [{ type: 'text' }] } });
  expect(JSON.stringify(again.events.at(-1)?.message)).toContain('steps');

  // Once more, after its end.
  const replay = rawStream(client, mcp, { lastEventId: broken.events.at(-1)?.id });
  await waitFor(() => replay.state.ended, 'the replay');
  expect(replay.events.at(-1)?.message.id).toBe(77);
}, 30_000);

test('a standing stream through the proxy breaks: the instance replays it under the same ids', async () => {
  const { url, maya } = await rig();
  const through = `${url}/mcp/${maya.id}`;
  const client = await connect(through, { protocolVersion: '2025-06-18' });
  await client.result('resources/subscribe', { uri: 'scene://current' });
  const first = rawStream(client, through);
  await first.opened();
  await maya.server.resources().setScene({ frame: 1 });
  await waitFor(() => first.events.length === 1, 'the first update');
  first.break();
  await new Promise(resolve => setTimeout(resolve, 200));
  await maya.server.resources().setScene({ frame: 2 });
  const again = rawStream(client, through, { lastEventId: first.events[0]?.id });
  await waitFor(() => again.events.length === 1, 'the update that was missed');
  expect(again.events[0]?.id).not.toBe(first.events[0]?.id);
});
