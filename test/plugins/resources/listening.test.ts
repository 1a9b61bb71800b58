import { expect, test } from 'vitest';
import type { ResourceProducer } from '../../../plugins/resources/api.ts';
import { mcpPlugin, resourcesPlugin } from '../../contracts/rooms.ts';
import { listeningApp, waitFor } from '../../helper.ts';
import { headersOf, modern } from '../mcp/sessionless-wire.ts';
import { type Json, stream } from '../mcp/wire.ts';
import { texts, updatesOf } from './support.ts';

/** An endpoint with `producers`, and the subscription of a sessionless client. */
async function endpoint(producers: readonly ResourceProducer[], options = {}) {
  const { app, url } = await listeningApp([mcpPlugin, resourcesPlugin], options);
  for (const each of producers) app.resources.addProducer(each);
  const listen = async (resourceSubscriptions: unknown) => {
    const message = modern(1, 'subscriptions/listen', { notifications: { resourceSubscriptions } });
    const events = await stream(`${url}/mcp`, headersOf(message), message);
    const first = await waitFor(() => events.messages()[0], 'the acknowledgement');
    const { notifications } = first.params as { notifications: Json };
    return { events, honoured: notifications.resourceSubscriptions };
  };
  return { app, listen };
}

test('what can be read is honoured and told of, anything else is left out', async () => {
  const { app, listen } = await endpoint([texts('memo', 3)]);
  const [known, other, queried] = ['memo://item/0', 'memo://item/1', 'memo://item/2?part=1'];
  const wanted = [known, known, queried, 'memo://item/9', 'nobody://x', 'memo:', '', 5, null, {}];
  const { events, honoured } = await listen(wanted);
  expect(honoured).toEqual([known, queried]);
  for (const uri of [known, other, 'memo://item/2']) app.resources.updated(uri);
  await waitFor(() => events.messages().length === 3, 'both updates');
  expect([known, queried, other].map(uri => updatesOf(events.messages(), uri))).toEqual([1, 1, 0]);
  expect((await listen('memo://item/0')).honoured).toBeUndefined();
});

test('a producer is told of its first follower and of the end of its last; what it refuses is left out', async () => {
  const followed: string[] = [];
  const left: string[] = [];
  const producer: ResourceProducer = {
    ...texts('live', 2),
    async follow(uri) {
      if (uri.endsWith('1')) throw new Error('not this one');
      followed.push(uri);
      return () => void left.push(uri);
    },
  };
  const { listen } = await endpoint([producer]);
  const one = await listen(['live://item/0', 'live://item/1']);
  const two = await listen(['live://item/0']);
  expect([one.honoured, two.honoured]).toEqual([['live://item/0'], ['live://item/0']]);
  await one.events.cut();
  expect([followed, left]).toEqual([['live://item/0'], []]);
  await two.events.cut();
  await waitFor(() => left.length === 1, 'the end of the last');
});

test('one stream follows at most max_session_subscriptions resources', async () => {
  const { listen } = await endpoint([texts('memo', 5)], { max_session_subscriptions: 2 });
  const { honoured } = await listen([0, 1, 2, 3].map(each => `memo://item/${each}`));
  expect(honoured).toEqual(['memo://item/0', 'memo://item/1']);
});

test('of what is gone, who follows it is told that it changed, unless it is polled', async () => {
  const { app, listen } = await endpoint([texts('memo', 1), { ...texts('polled', 1), polled: true }]);
  const { events } = await listen(['memo://item/0', 'polled://item/0']);
  for (const scheme of ['polled', 'memo']) app.resources.removed(`${scheme}://item/0`);
  await waitFor(() => events.messages().length === 2, 'the message');
  expect(updatesOf(events.messages(), 'memo://item/0')).toBe(1);
});
