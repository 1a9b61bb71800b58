/** The end of an artefact, told to clients: a real store, a real endpoint, real time. */
import { expect, test } from 'vitest';
import { createExpiry } from '../../../../../plugins/resources/schemes/artefact/expiry.ts';
import { schemeArtefactPlugin } from '../../../../../plugins/resources/schemes/artefact/index.ts';
import { tempDir, waitFor } from '../../../../helper.ts';
import { errorOf, pause, resourceServer, updatesOf } from '../../support.ts';

const soon = (ms: number): string => new Date(Date.now() + ms).toISOString();

async function served(registry_dir?: string) {
  const options = { enable_artefact_resources: true, registry_dir: registry_dir ?? (await tempDir()) };
  const { app, connect } = await resourceServer([], options, [schemeArtefactPlugin]);
  const wire = await connect();
  const { messages } = await wire.stream();
  const listChanges = (): number =>
    messages.filter(each => each.method === 'notifications/resources/list_changed').length;
  return { app, store: app.schemeArtefact, wire, messages, listChanges, options };
}

test('an artefact that expires is told to REST streams, and the list changes once for all; its subscribers poll', async () => {
  const { app, store, wire, messages, listChanges } = await served();
  const at = soon(2000);
  const refs = await Promise.all(['a', 'b', 'c'].map(each => store.putBytes(Buffer.from(each), { expires_at: at })));
  const kept = await store.putBytes(Buffer.from('kept'), { expires_at: '2999-01-01T00:00:00Z' });
  await waitFor(() => listChanges() === 4, 'the four puts');
  const uri = String(refs[0]?.uri);
  const heard: string[] = [];
  const stop = app.resources.onUpdated(uri, event => heard.push(event.type));
  for (const each of [uri, kept.uri]) await wire.result('resources/subscribe', { uri: each });
  await waitFor(() => listChanges() === 5, 'the list');
  expect(heard).toEqual(['removed']);
  expect(await errorOf(wire, 'resources/read', { uri })).toMatchObject({ number: -32002 });
  const { resources } = await wire.result('resources/list');
  expect((resources as { uri: string }[]).map(each => each.uri)).toEqual([kept.uri]);
  await pause(100);
  expect([updatesOf(messages, uri), updatesOf(messages, kept.uri), listChanges()]).toEqual([0, 0, 5]);
  await stop();
});

test('of two descriptions of the same bytes one expires: the artefact stays, the list changes; then the other', async () => {
  const { app, store, wire, listChanges } = await served();
  const { uri } = await store.putBytes(Buffer.from('x'), { display_name: 'first', expires_at: soon(200) });
  await store.putBytes(Buffer.from('x'), { display_name: 'second', expires_at: soon(3000) });
  const heard: string[] = [];
  app.resources.onUpdated(uri, event => heard.push(event.type));
  await waitFor(() => listChanges() === 3, 'the end of the first');
  expect(heard).toEqual([]);
  const { resources } = await wire.result('resources/list');
  expect(resources).toMatchObject([{ uri, name: 'second' }]);
  await waitFor(() => listChanges() === 4 && heard.length === 1, 'the end of the second');
});

test('what was stored before the start, or by another server and listed here, is waited for', async () => {
  const first = await served();
  const before = await first.store.putBytes(Buffer.from('before'), { expires_at: soon(1500) });
  const second = await served(first.options.registry_dir);
  const after = await first.store.putBytes(Buffer.from('after'), { expires_at: soon(1500) });
  await second.wire.result('resources/list');
  const heard: string[] = [];
  for (const { uri } of [before, after])
    second.app.resources.onUpdated(uri, event => heard.push(`${event.type} ${uri}`));
  await waitFor(() => heard.length === 2, 'the end of both');
  expect(heard.sort()).toEqual([`removed ${before.uri}`, `removed ${after.uri}`].sort());
});

test('a time beyond what a timer can wait is no end; after close nothing is told', async () => {
  const told: string[][] = [];
  const expiry = createExpiry({
    now: Date.now,
    list: async () => [],
    onExpired: gone => told.push([...gone]),
    onFailure: error => expect(error).toBeUndefined(),
  });
  const ref = (uri: string, expires_at?: string) => ({
    ...{ uri, size_bytes: 1, digest: '', created_at: '' },
    ...(expires_at !== undefined && { expires_at }),
  });
  expiry.note([ref('far', '2999-01-01T00:00:00Z'), ref('never'), ref('odd', 'some day'), ref('past', soon(-1000))]);
  await waitFor(() => told.length > 0, 'the one that is over');
  expect(told).toEqual([['past']]);
  expiry.note([ref('near', soon(50))]);
  expiry.close();
  await pause(150);
  expect(told).toHaveLength(1);
});
