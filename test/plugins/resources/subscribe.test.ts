import { expect, test } from 'vitest';
import type { ResourceProducer } from '../../../plugins/resources/api.ts';
import { waitFor } from '../../helper.ts';
import { errorOf, pause, resourceServer, texts, updatesOf } from './support.ts';

const uri = 'one://item/0';

test('notifications/resources/updated reaches subscribers only, until they unsubscribe [spec:notify:resource-updated spec:mcp:resources-updated spec:resource:subscriptions spec:resource:unsubscribe]', async () => {
  const { app, connect } = await resourceServer([texts('one', 2)]);
  const [follower, other] = [await connect(), await connect()];
  const [mine, theirs] = [await follower.stream(), await other.stream()];
  expect(await follower.result('resources/subscribe', { uri })).toEqual({});
  await other.result('resources/subscribe', { uri: 'one://item/1' });
  await follower.result('resources/subscribe', { uri });
  app.resources.updated(uri);
  app.resources.updated('one://item/1');
  const told = await mine.next(each => each.method === 'notifications/resources/updated');
  expect(told.params).toEqual({ uri });
  await follower.result('resources/unsubscribe', { uri });
  await follower.result('resources/unsubscribe', { uri });
  app.resources.updated(uri);
  await pause(60);
  expect(updatesOf(mine.messages, uri)).toBe(1);
  expect(updatesOf(mine.messages, 'one://item/1')).toBe(0);
  expect(theirs.messages.map(each => each.params)).toEqual([{ uri: 'one://item/1' }]);
  mine.close();
  theirs.close();
});

test('updates are coalesced per URI and session: a burst of 10,000 is told a few times, the last one never lost', async () => {
  const { app, connect } = await resourceServer([texts('one')]);
  const wire = await connect();
  const stream = await wire.stream();
  await wire.result('resources/subscribe', { uri });
  for (let turn = 0; turn < 10; turn += 1) {
    for (let count = 0; count < 1000; count += 1) app.resources.updated(uri);
    await pause(1);
  }
  const before = updatesOf(stream.messages, uri);
  app.resources.updated(uri);
  await waitFor(() => updatesOf(stream.messages, uri) > before, 'the last update');
  await pause(60);
  expect(updatesOf(stream.messages, uri)).toBeLessThanOrEqual(12);
  stream.close();
});

test('who follows a URI with a query is told under that very URI', async () => {
  const { app, connect } = await resourceServer([texts('one')]);
  const wire = await connect();
  const stream = await wire.stream();
  const [first, second] = [`${uri}?limit=3`, `${uri}?limit=4`];
  await wire.result('resources/subscribe', { uri: first });
  await wire.result('resources/subscribe', { uri: second });
  const heard: string[] = [];
  const stop = app.resources.onUpdated(second, event => heard.push(event.uri));
  app.resources.updated(uri);
  await waitFor(() => updatesOf(stream.messages, first) && updatesOf(stream.messages, second), 'both');
  expect(updatesOf(stream.messages, uri)).toBe(0);
  expect(heard).toEqual([second]);
  await stop();
  stream.close();
});

test('10,000 subscriptions of one session: 1,000 are taken, the rest is refused, other sessions are untouched', async () => {
  const { connect } = await resourceServer([texts('one', 10_001)], { max_session_subscriptions: 1000 });
  const greedy = await connect({ protocolVersion: '2025-03-26' });
  let refused = 0;
  for (let start = 0; start < 10_000; start += 100) {
    const batch = Array.from({ length: 100 }, (_, index) => ({
      jsonrpc: '2.0',
      id: `s${start + index}`,
      method: 'resources/subscribe',
      params: { uri: `one://item/${start + index}` },
    }));
    const { text } = await greedy.send(batch);
    refused += text.split('SVC_RESOURCES_TOO_MANY').length - 1;
  }
  expect(refused).toBe(9000);
  await greedy.result('resources/unsubscribe', { uri: 'one://item/5' });
  await greedy.result('resources/subscribe', { uri: 'one://item/10000' });
  const modest = await connect();
  expect(await modest.result('resources/subscribe', { uri })).toEqual({});
  expect(await errorOf(greedy, 'resources/subscribe', { uri: 'one://item/9999' })).toMatchObject({ number: -32602 });
});

test('DELETE drops all resource subscriptions of the session; nothing is left in its scope [spec:session:delete-subscriptions]', async () => {
  const { app, connect } = await resourceServer([texts('one')]);
  const wire = await connect();
  const before = app.kernel.scope.list().filter(each => each.includes('resource subscriptions'));
  await wire.result('resources/subscribe', { uri });
  const during = app.kernel.scope.list().filter(each => each.includes('resource subscriptions'));
  expect([before.length, during.length]).toEqual([0, 1]);
  expect((await wire.end()).status).toBeLessThan(300);
  await waitFor(() => !app.kernel.scope.list().some(each => each.includes('resource subscriptions')), 'the scope');
  app.resources.updated(uri);
  const next = await connect();
  const stream = await next.stream();
  app.resources.updated(uri);
  await pause(60);
  expect(stream.messages).toEqual([]);
  stream.close();
});

test('notifications/resources/list_changed reaches every session [spec:notify:resource-list-changed]', async () => {
  const { app, connect } = await resourceServer();
  const stream = await (await connect()).stream();
  app.resources.listChanged();
  await stream.next(each => each.method === 'notifications/resources/list_changed');
  stream.close();
});

test('a listener that throws does not keep an update from the others', async () => {
  const { app } = await resourceServer([texts('one')]);
  const heard: string[] = [];
  app.resources.onUpdated(uri, () => {
    throw new Error('broken listener');
  });
  app.resources.onUpdated(uri, event => heard.push(event.type));
  app.resources.updated(uri);
  await waitFor(() => heard.length === 1, 'the second listener');
});

test('a URI that names nothing cannot be followed, as it cannot be read; nothing is kept of the attempt', async () => {
  const reads: string[] = [];
  const unreadable: ResourceProducer = {
    scheme: 'broken',
    list: () => [],
    read(uri) {
      reads.push(uri);
      throw new Error('not now');
    },
  };
  const counted: ResourceProducer = {
    ...texts('costly'),
    read: () => undefined,
    knows: each => each === 'costly://item/0',
  };
  const { app, connect } = await resourceServer([texts('one'), unreadable, counted]);
  const wire = await connect();
  for (const missing of ['one://item/99', 'one://', 'nobody://item', 'costly://item/1']) {
    const refused = { number: -32002, code: 'SVC_RESOURCES_NOT_FOUND' };
    expect(await errorOf(wire, 'resources/subscribe', { uri: missing })).toMatchObject(refused);
  }
  expect(app.resources.followingSessions).toBe(0);
  // What fails now may work later; what says itself that it is known is not read.
  for (const known of ['broken://x', 'costly://item/0', uri]) {
    expect(await wire.result('resources/subscribe', { uri: known })).toEqual({});
  }
  expect(reads).toEqual(['broken://x']);
  // A second one is not looked at again.
  expect(await wire.result('resources/subscribe', { uri: 'broken://x' })).toEqual({});
  expect([reads.length, app.resources.followingSessions]).toEqual([1, 1]);
});
