import { expect, test } from 'vitest';
import { auditPlugin } from '../../../../../plugins/audit/index.ts';
import { schemeAuditPlugin } from '../../../../../plugins/resources/schemes/audit/index.ts';
import type { Json } from '../../../../spec/wire.ts';
import { errorOf, pause, readJson, resourceServer, updatesOf } from '../../support.ts';

test('audit://recent: default 50, maximum 500, the newest entries, oldest first [spec:scheme:audit] [spec:limit:audit]', async () => {
  const { app, connect } = await resourceServer([], {}, [auditPlugin, schemeAuditPlugin]);
  const wire = await connect();
  for (let n = 0; n < 620; n += 1)
    app.kernel.bus.emit<string>('tool.completed', { attributes: { tool_name: `t${n}` } });
  const counts = async (query: string) => {
    const { limit, count, entries } = await readJson(wire, `audit://recent${query}`);
    return [limit, count, (entries as Json[]).at(0)?.action, (entries as Json[]).at(-1)?.action];
  };
  expect(await counts('')).toEqual([50, 50, 't570', 't619']);
  expect(await counts('?limit=2')).toEqual([2, 2, 't618', 't619']);
  expect(await counts('?limit=9999')).toEqual([500, 500, 't120', 't619']);
  expect(await counts('?limit=0')).toEqual([0, 0, undefined, undefined]);
  for (const query of ['limit=x', 'limit=-1', 'colour=red']) {
    expect(await errorOf(wire, 'resources/read', { uri: `audit://recent?${query}` })).toMatchObject({ number: -32602 });
  }
  expect(await errorOf(wire, 'resources/read', { uri: 'audit://old' })).toMatchObject({
    code: 'SVC_RESOURCES_NOT_FOUND',
  });
});

test('audit://recent notifies on every record, a burst once', async () => {
  const { app, connect } = await resourceServer([], {}, [auditPlugin, schemeAuditPlugin]);
  const wire = await connect();
  const stream = await wire.stream();
  await wire.result('resources/subscribe', { uri: 'audit://recent' });
  for (let n = 0; n < 300; n += 1) app.kernel.bus.emit<string>('tool.failed', { attributes: { tool_name: 'x' } });
  await stream.next(each => each.params?.uri === 'audit://recent');
  await pause(60);
  expect(updatesOf(stream.messages, 'audit://recent')).toBe(1);
  stream.close();
});
