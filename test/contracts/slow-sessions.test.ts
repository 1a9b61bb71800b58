/** What can go wrong with sessions, subscriptions and owners only when they are kept somewhere that answers later. */
import { expect, test } from 'vitest';
import { createDelivery } from '../../plugins/gateway/delivery/delivery.ts';
import { createMemoryOutbox, createMemoryOwners } from '../../plugins/gateway/delivery/memory-store.ts';
import { mcpOver } from '../../plugins/mcp/index.ts';
import { createMemorySessions } from '../../plugins/mcp/sessions/memory-store.ts';
import type { SessionStore } from '../../plugins/mcp/sessions/store.ts';
import { resourcesOver } from '../../plugins/resources/index.ts';
import { createMemorySubscriptions } from '../../plugins/resources/memory-store.ts';
import type { SubscriptionStore } from '../../plugins/resources/store.ts';
import { listeningApp, waitFor } from '../helper.ts';
import { call, initialize, mcpServer, request, stream } from '../plugins/mcp/wire.ts';
import { texts } from '../plugins/resources/support.ts';
import { connect } from '../spec/wire.ts';
import { slow } from './slow.ts';

const setLevel = (level: string) => call(9, 'logging/setLevel', { level });

test('a session of one server goes on at another that shares its store, and ends at both', async () => {
  const shared = createMemorySessions();
  const [one, two] = [
    await mcpServer({}, [mcpOver(() => slow(shared))]),
    await mcpServer({}, [mcpOver(() => slow(shared))]),
  ];
  const { session } = await one.open('2025-06-18');
  const id = session['mcp-session-id'];
  await one.post(setLevel('error'), session);
  // Several at once: one session comes of it.
  const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => two.post(call(n, 'ping'), session)));
  expect(answers.map(each => each.status)).toEqual([200, 200, 200, 200, 200]);
  expect([two.app.mcp.sessions.size, two.app.mcp.sessions.get(id)?.clientInfo]).toEqual([
    1,
    { name: 'test', version: '1' },
  ]);
  expect(two.app.mcp.sessions.get(id)).toMatchObject({ logLevel: (await shared.get(id))?.logLevel });
  expect((await request(two.url, 'DELETE', undefined, session)).status).toBe(204);
  expect([await shared.get(id), (await two.post(call(1, 'ping'), session)).status]).toEqual([undefined, 404]);
});

test('a session that is ending is not brought back by a request that comes meanwhile; a change on its way is not kept', async () => {
  const shared = createMemorySessions();
  const { url, post, open, app } = await mcpServer({}, [mcpOver(() => slow(shared))]);
  for (let round = 0; round < 5; round += 1) {
    const { session } = await open();
    const [, ended, late] = await Promise.all([
      post(setLevel('error'), session),
      request(url, 'DELETE', undefined, session),
      post(call(2, 'ping'), session),
    ]);
    expect([200, 404]).toContain(late.status);
    expect(ended.status).toBe(204);
    expect((await post(call(3, 'ping'), session)).status).toBe(404);
    expect(await shared.get(session['mcp-session-id'])).toBeUndefined();
  }
  expect(app.mcp.sessions.size).toBe(0);
});

test('max_sessions holds for streams on their way; a session that cannot be stored is refused and leaves nothing', async () => {
  let broken = false;
  const memory = createMemorySessions();
  const store: SessionStore = {
    ...memory,
    save(record) {
      if (broken) throw new Error('the store is away');
      return memory.save(record);
    },
  };
  const { app, url, post } = await mcpServer({ max_sessions: 2 }, [mcpOver(() => slow(store))]);
  broken = true;
  const refused = await post(initialize('2025-11-25'));
  expect([refused.status, app.mcp.sessions.size]).toEqual([500, 0]);
  expect(app.kernel.scope.list().filter(each => each.includes('session:'))).toEqual([]);
  broken = false;
  const opened = await Promise.all([1, 2, 3, 4].map(() => post(initialize('2025-11-25'))));
  expect(opened.map(each => each.status)).toEqual([200, 200, 200, 200]);
  const streams = opened.map(({ headers }) => stream(url, { 'mcp-session-id': headers.get('mcp-session-id') ?? '' }));
  const statuses = (await Promise.all(streams)).map(each => each.response.status);
  expect(statuses.sort()).toEqual([200, 200, 503, 503]);
});

async function followed(store: SubscriptionStore) {
  const mcp = mcpOver(() => slow(createMemorySessions()));
  const { app, url } = await listeningApp([mcp, resourcesOver(() => slow(store))]);
  app.resources.addProducer(texts('one'));
  return { app, wire: () => connect(`${url}/mcp`) };
}
const uri = 'one://item/0';

test('subscribe and unsubscribe without waiting: the last word counts; the end of a session takes all with it', async () => {
  const memory = createMemorySubscriptions();
  const { wire } = await followed(memory);
  const client = await wire();
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([
      client.result('resources/subscribe', { uri }),
      client.result('resources/unsubscribe', { uri }),
      client.result('resources/subscribe', { uri }),
    ]);
  }
  const other = await wire();
  await Promise.all([other.request('resources/subscribe', { uri }), other.end()]).catch(() => undefined);
  await waitFor(async () => (await memory.followers(uri))[0]?.[1].size === 1, 'the one that is left');
  expect([...((await memory.followers(uri))[0]?.[1] ?? [])]).toEqual([client.sessionId]);
  await client.end();
  expect(await memory.followers(uri)).toEqual([]);
});

test('a subscription that cannot be stored is refused and forgotten, and may be asked for again', async () => {
  const memory = createMemorySubscriptions();
  let broken = true;
  const add: SubscriptionStore['add'] = (...given) => {
    if (broken) throw new Error('the store is away');
    return memory.add(...given);
  };
  const { app, wire } = await followed({ ...memory, add });
  const client = await wire();
  expect((await client.request('resources/subscribe', { uri })).error).toBeDefined();
  expect(app.resources.followingSessions).toBe(0);
  broken = false;
  expect(await client.result('resources/subscribe', { uri })).toEqual({});
  expect(app.resources.followingSessions).toBe(1);
});

function delivered(owners = slow(createMemoryOwners()), outbox = slow(createMemoryOutbox())) {
  const told: unknown[] = [];
  const logged: unknown[] = [];
  const delivery = createDelivery({
    mcp: {
      notify: (session, _method, params) => told.push([session, params?.status]) > 0,
      broadcast: (_method, params) => void told.push(['all', params?.status]),
      sessions: { size: 0, get: () => undefined, list: () => [], handOn: () => [], adopt: async () => undefined },
    },
    tokenPrefix: 'gw',
    owners,
    outbox,
    guarded: () => false,
    log: { error: (...given: unknown[]) => void logged.push(given) } as never,
  });
  const rpc = { session: { id: 's' }, notify: () => undefined } as never;
  const tell = (status: string) => delivery.take('i', 'notifications/$/dcc.jobUpdated', { job_id: 'j', status });
  return { delivery, rpc, tell, told, logged };
}

test('what an instance tells before, while and after its receipt is kept reaches the owner, in order and once', async () => {
  const { delivery, rpc, tell, told } = delivered();
  const sent = delivery.begin('i', { caller: rpc });
  tell('pending');
  tell('running');
  const kept = sent.settled('j');
  tell('completed');
  await kept;
  await waitFor(() => told.length === 3, 'three notices');
  expect(told).toEqual([
    ['s', 'pending'],
    ['s', 'running'],
    ['s', 'completed'],
  ]);
  expect(await delivery.ownerOf('j')).toBe('i');
  delivery.dispose();
});

test('owners that cannot be read or kept are reported, and what is told goes to all instead of being lost', async () => {
  const away = () => Promise.reject(new Error('away'));
  const { delivery, rpc, tell, told, logged } = delivered({ set: away, get: away });
  const sent = delivery.begin('i', { caller: rpc });
  tell('running');
  await sent.settled('j');
  await waitFor(() => told.length === 1, 'the notice');
  expect([told, logged.length]).toEqual([[['all', 'running']], 2]);
  delivery.dispose();
});
