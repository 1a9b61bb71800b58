import { expect, test } from 'vitest';
import { createSessionEventBuffer } from '../../../../../plugins/resources/schemes/session-events/buffer.ts';
import { schemeSessionEventsPlugin } from '../../../../../plugins/resources/schemes/session-events/index.ts';
import type { Json } from '../../../../spec/wire.ts';
import { errorOf, readJson, resourceServer } from '../../support.ts';

const input = (message: string) => ({ source: 'host', stream: 'stdout', level: 'info' as const, message });

async function served() {
  const { app, connect } = await resourceServer([], {}, [schemeSessionEventsPlugin]);
  return { events: app.schemeSessionEvents, wire: await connect() };
}

test('events://session pages: cursor, limit, next_cursor, retained and dropped counts [spec:shape:session-events spec:scheme:session-events spec:scheme:session-events-bounds]', async () => {
  const { events, wire } = await served();
  const buffer = events.createBuffer({ session_id: 's1', maxlen: 5 });
  expect(await readJson(wire, 'events://session/s1')).toEqual({
    cursor: 0,
    next_cursor: 0,
    retained_count: 0,
    dropped_count: 0,
    events: [],
  });
  for (let n = 1; n <= 7; n += 1)
    buffer.append({ ...input(`m${n}`), tool_call_id: 't', job_id: 'j', correlation_id: 'c' });
  const first = await readJson(wire, 'events://session/s1?limit=2');
  expect(first).toMatchObject({
    cursor: 0,
    next_cursor: 4,
    oldest_cursor: 3,
    newest_cursor: 7,
    retained_count: 5,
    dropped_count: 2,
  });
  expect((first.events as Json[])[0]).toMatchObject({
    id: 3,
    session_id: 's1',
    tool_call_id: 't',
    job_id: 'j',
    correlation_id: 'c',
    source: 'host',
    stream: 'stdout',
    level: 'info',
    message: 'm3',
    timestamp_ns: expect.any(Number),
  });
  const second = await readJson(wire, 'events://session/s1?cursor=4');
  expect((second.events as Json[]).map(each => each.id)).toEqual([5, 6, 7]);
  expect(await readJson(wire, 'events://session/s1?cursor=900')).toMatchObject({ next_cursor: 900, events: [] });
});

test('drain=true removes the returned events and all older ones and counts them as dropped [spec:scheme:session-events-drain]', async () => {
  const { events, wire } = await served();
  const buffer = events.createBuffer({ session_id: 's1' });
  for (let n = 1; n <= 4; n += 1) buffer.append(input(`m${n}`));
  const page = await readJson(wire, 'events://session/s1?cursor=1&limit=2&drain=true');
  expect(page).toMatchObject({ next_cursor: 3, oldest_cursor: 4, retained_count: 1, dropped_count: 3 });
  expect((page.events as Json[]).map(each => each.id)).toEqual([2, 3]);
  expect(await readJson(wire, 'events://session/s1')).toMatchObject({ retained_count: 1, dropped_count: 3 });
});

test('a message over max_message_bytes is cut between characters and says so; warn is warning [spec:scheme:session-events-bounds]', () => {
  const buffer = createSessionEventBuffer({ session_id: 's', max_message_bytes: 5 });
  const event = buffer.append({ ...input('éééé'), level: 'warn', metadata: { k: 1 } });
  expect(event).toMatchObject({
    message: 'éé',
    level: 'warning',
    truncation: { original_size: 8, truncated_size: 4, max_size: 5 },
    metadata: { truncation: { original_size: 7, max_size: 5 } },
  });
  expect(() => buffer.append({ ...input('x'), level: 'loud' as never })).toThrow(/"level"/);
  expect(() => buffer.append({ ...input('x'), metadata: 5n })).toThrow(TypeError);
  expect(buffer.page().retained_count).toBe(1);
});

test('a page holds 100 events by default and 1,000 at most', () => {
  const buffer = createSessionEventBuffer({ session_id: 's', maxlen: 3000 });
  for (let n = 0; n < 2500; n += 1) buffer.append(input('x'));
  expect(buffer.page().events.length).toBe(100);
  expect(buffer.page({ limit: 9999 }).events.length).toBe(1000);
  expect(buffer.page({ limit: 0 })).toMatchObject({ next_cursor: 0, events: [] });
});

test('wrong parameters are -32602, an unknown session is not found, a session has one buffer', async () => {
  const { events, wire } = await served();
  events.createBuffer({ session_id: 's1' });
  for (const query of ['cursor=-1', 'limit=x', 'drain=yes', 'colour=red', 'cursor=99999999999999999999']) {
    expect(await errorOf(wire, 'resources/read', { uri: `events://session/s1?${query}` })).toMatchObject({
      number: -32602,
    });
  }
  for (const uri of ['events://session/zz', 'events://session/', 'events://other', 'events://session/s1/x']) {
    expect(await errorOf(wire, 'resources/read', { uri })).toMatchObject({ code: 'SVC_RESOURCES_NOT_FOUND' });
  }
  expect(() => events.createBuffer({ session_id: 's1' })).toThrow(/already/);
  expect(() => events.createBuffer({ session_id: 's2', maxlen: 0 })).toThrow(/maxlen/);
  expect(() => events.createBuffer({ session_id: '' })).toThrow(/session_id/);
});

test('buffers come and go: resources/list, list_changed, completion of the session id [spec:notify:resource-list-changed]', async () => {
  const { events, wire } = await served();
  const stream = await wire.stream();
  const hide = events.registerSessionEventBuffer(createSessionEventBuffer({ session_id: 'a b/c' }));
  await stream.next(each => each.method === 'notifications/resources/list_changed');
  const { resources } = await wire.result('resources/list');
  const [uri] = (resources as { uri: string }[]).map(each => each.uri);
  expect(uri).toBe('events://session/a%20b%2Fc');
  expect(await readJson(wire, String(uri))).toMatchObject({ retained_count: 0 });
  const { resourceTemplates } = await wire.result('resources/templates/list');
  expect(resourceTemplates).toContainEqual(expect.objectContaining({ uriTemplate: 'events://session/{session_id}' }));
  const completion = await wire.result('completion/complete', {
    ref: { type: 'ref/resource', uri: 'events://session/{session_id}' },
    argument: { name: 'session_id', value: 'a' },
  });
  expect(completion).toMatchObject({ completion: { values: ['a b/c'] } });
  await hide();
  await hide();
  expect(await wire.result('resources/list')).toEqual({ resources: [] });
  stream.close();
});
