import { expect, test } from 'vitest';
import type { EventEnvelope } from '../../../kernel/index.ts';
import type { ServerOptions } from '../../../plugins/index.ts';
import { extractRationale, rationaleMeta } from '../../../plugins/tools/rationale.ts';
import { rig, tool } from './support.ts';

/** A rig with some tools and everything that the bus delivers of them. */
async function watched(options: ServerOptions = {}) {
  const made = await rig({ dcc_type: 'maya', ...options });
  const { app } = made;
  const events: EventEnvelope[] = [];
  const unsubscribe = app.kernel.bus.on('tool.*', event => void events.push(event));
  const input_schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
  const fails = () => {
    throw new Error('broken');
  };
  app.tools.publish(
    'skill:mesh',
    [
      tool('inspect', { input_schema, group: 'g', annotations: { read_only_hint: true } }),
      tool('fails', {}, fails),
      tool('soft', {}, () => ({ success: false })),
      tool('later', {}, async () => 'ok'),
      tool('off', { group: 'closed' }),
      { definition: { name: 'empty' } },
    ],
    { source: 'skill', skill_name: 'mesh', groups: [{ name: 'g', description: '', default_active: true }] },
  );
  const last = () => events.at(-1) as EventEnvelope;
  return { ...made, events, last, unsubscribe };
}

test('tool.dispatched then tool.completed with the attributes of the specification [spec:shape:tool-events spec:event:tool.dispatched spec:event:tool.completed spec:event:tool-attributes spec:event:tool-terminal]', async () => {
  const { call, events } = await watched();
  await call('inspect', { n: 1 }, { sessionId: 'abc' });
  expect(events.map(each => each.name)).toEqual(['tool.dispatched', 'tool.completed']);
  const known = {
    tool_slug: 'maya.mesh.inspect',
    tool_name: 'inspect',
    dcc_type: 'maya',
    skill_name: 'mesh',
    group: 'g',
    annotations: { read_only_hint: true },
  };
  expect(events[0]?.attributes).toEqual(known);
  // As JSON, as it leaves the process: the arguments stay behind.
  const sent = JSON.parse(JSON.stringify(events[1]?.attributes)) as object;
  expect(sent).toEqual({ ...known, duration_ms: expect.any(Number), result_success: true });
  expect(events[0]?.correlation).toEqual({ request_id: expect.any(Number), session_id: 'abc' });
  expect(events[0]?.source).toEqual({ dcc_type: 'maya' });
});

test('the trace that a call belongs to stands in the correlation of its events', async () => {
  const { ask, events, last } = await watched();
  const call = (name: string, traceparent: unknown) =>
    ask('tools/call', { name, arguments: { n: 1 }, _meta: { traceparent } });
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await call('inspect', traceparent);
  expect(events.map(each => each.correlation.trace_id)).toEqual(Array(2).fill('0af7651916cd43dd8448eb211c80319c'));
  await call('nowhere', traceparent);
  expect(last()).toMatchObject({ name: 'tool.failed', correlation: { trace_id: '0af7651916cd43dd8448eb211c80319c' } });
  for (const odd of ['', 5, null, 'x', traceparent.replace(/0af\w+/, '0'.repeat(32))]) {
    await call('inspect', odd);
    expect(last().correlation).not.toHaveProperty('trace_id');
  }
});

test('result_success comes from the success boolean of the result, otherwise it is true [spec:event:result-success spec:error:tool-reported]', async () => {
  const { call, last } = await watched();
  const soft = await call('soft');
  expect([soft.error, soft.result?.isError]).toEqual([undefined, true]);
  expect([last().name, last().attributes.result_success]).toEqual(['tool.completed', false]);
  expect((await call('later')).result?.isError ?? false).toBe(false);
  expect([last().name, last().attributes.result_success]).toEqual(['tool.completed', true]);
});

test('tool.failed for every kind of failure: error_kind, error_message, result_success false [spec:event:tool.failed spec:event:failure-kinds]', async () => {
  const { app, call, refused, events, last } = await watched();
  const kinds: [string, string][] = [
    ['nothing', 'metadata_not_found'],
    ['empty', 'handler_not_found'],
    ['off', 'action_disabled'],
    ['inspect', 'validation_failed'],
    ['fails', 'handler_error'],
    ['activate_tool_group', 'validation_failed'],
  ];
  for (const [name, kind] of kinds) {
    const { error } = await refused(name);
    expect(last().name).toBe('tool.failed');
    const { error_kind, error_message, result_success } = last().attributes;
    expect([name, error_kind, error_message, result_success]).toEqual([name, kind, error?.message, false]);
  }
  expect(events.filter(each => each.name === 'tool.dispatched')).toHaveLength(2);
  const definition = { affinity: 'main', enforce_thread_affinity: true } as const;
  app.tools.publish('skill:x', [tool('pinned', definition)], { source: 'skill', skill_name: 'x' });
  await call('pinned');
  expect(last().attributes.error_kind).toBe('thread_affinity_violation');
});

test('a vetoed call answers EVENT_VETOED and emits tool.failed with veto_code and veto_reason; the handler never runs [spec:veto:tool-call spec:error:vetoed spec:veto:tool-event]', async () => {
  const { app, call, refused, events } = await watched();
  let ran = false;
  app.tools.publish('h', [tool('erase', {}, () => (ran = true))], { source: 'host' });
  const { hooks } = app.kernel;
  const seen: EventEnvelope[] = [];
  const lift = hooks.before('tool.dispatched', event => {
    seen.push(event);
    return event.attributes.tool_name === 'erase' && { reason: 'read-only today', code: 'policy' };
  });
  const { error } = await refused('erase');
  expect(error?.data).toMatchObject({ code: 'EVENT_VETOED', veto_code: 'policy', veto_reason: 'read-only today' });
  expect(error?.message).toContain('read-only today');
  expect(ran).toBe(false);
  expect(seen[0]).toMatchObject({ schema_version: 1, name: 'tool.dispatched', id: expect.stringMatching(/^ev_/) });
  expect(events.map(each => each.name)).toEqual(['tool.failed']);
  expect(events[0]?.attributes).toMatchObject({
    error_kind: 'event_vetoed',
    veto_code: 'policy',
    veto_reason: 'read-only today',
  });
  expect((await refused('inspect', { n: 1 })).error).toBeUndefined();
  expect((await refused('inspect', {})).error?.code).toBe(-32001);
  void lift();
  await call('erase');
  expect(ran).toBe(true);
});

test('a hook that throws is a veto', async () => {
  const { app, refused } = await watched();
  app.kernel.hooks.before('tool.dispatched', () => {
    throw new Error('policy server down');
  });
  expect((await refused('later')).error).toMatchObject({ data: { code: 'EVENT_VETOED', veto_code: 'vetoed' } });
});

test('a hook that never answers is a veto after the time of a request; a cancel comes through; other tools go on', async () => {
  const { app, refused, events } = await watched({ request_timeout_ms: 300 });
  let ran = false;
  app.tools.publish('h', [tool('erase', {}, () => (ran = true))], { source: 'host' });
  app.kernel.hooks.before('tool.dispatched', event =>
    event.attributes.tool_name === 'erase' ? new Promise(() => undefined) : undefined,
  );
  const stuck = refused('erase');
  expect((await refused('inspect', { n: 1 })).error).toBeUndefined();
  expect((await stuck).error).toMatchObject({
    message: expect.stringContaining('a before hook of tool.dispatched did not answer within 300 ms'),
    data: { code: 'EVENT_VETOED', veto_code: 'vetoed' },
  });
  expect(events.at(-1)).toMatchObject({ name: 'tool.failed', attributes: { error_kind: 'event_vetoed' } });
  const giveUp = new AbortController();
  const cancelled = app.tools.call({ name: 'erase', args: {}, timeoutMs: 60_000, signal: giveUp.signal });
  setTimeout(() => giveUp.abort(), 50);
  await expect(cancelled).rejects.toMatchObject({ code: 'SVC_RPC_CANCELLED' });
  expect(ran).toBe(false);
});

test('_meta.dcc.rationale: extracted, built, and an event attribute when present', async () => {
  expect(extractRationale({ name: 't', _meta: { dcc: { rationale: 'because' } } })).toBe('because');
  for (const params of [
    undefined,
    null,
    7,
    {},
    { _meta: null },
    { _meta: { dcc: 'x' } },
    { _meta: { dcc: { rationale: 5 } } },
  ]) {
    expect(extractRationale(params)).toBeUndefined();
  }
  expect(extractRationale({ _meta: rationaleMeta('why not') })).toBe('why not');
  const { ask, events } = await watched();
  await ask('tools/call', { name: 'later', _meta: rationaleMeta('to see') });
  expect(events.map(each => each.attributes.rationale)).toEqual(['to see', 'to see']);
});

test('without subscribers no event is built', async () => {
  const { call, events, unsubscribe } = await watched();
  unsubscribe();
  await call('later');
  await call('nothing');
  expect(events).toEqual([]);
});
