/** Changes over the admin interface: only with the token of the page, secrets never out and never lost, comments kept. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adminPlugin } from '../../../plugins/admin/index.ts';
import { debugPlugin } from '../../../plugins/debug/index.ts';
import { webhooksPlugin } from '../../../plugins/webhooks/index.ts';
import { tempDir } from '../../helper.ts';
import { startGateway } from '../gateway/rig.ts';
import { type Json, raw } from '../gateway/support.ts';
import { receiver as startReceiver } from '../webhooks/receiver.ts';

const secret = 'hall-dashboard-0123456789-0123456789';

test('webhooks are listed, changed, tested and removed', async () => {
  const receiver = await startReceiver();
  const webhooks_config = join(await tempDir(), 'webhooks.yaml');
  await writeFile(
    webhooks_config,
    `# Ask the pipeline team.
webhooks:
  # The hall.
  - name: pipeline
    url: ${receiver.url}?key=${secret}
    events: [tool.failed]
    headers: { authorization: Bearer ${secret}, x-team: 'Bearer \${TEAM_TOKEN}' } # theirs
`,
  );
  const { url } = await startGateway([webhooksPlugin, debugPlugin, adminPlugin], { webhooks_config });
  const page = await (await fetch(`${url}/admin`)).text();
  const token = /name="svc-admin-token" content="([^"]+)"/.exec(page)?.[1] ?? '';
  const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    raw(url, `/admin/api/integrations${path}`, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), 'x-svc-admin-token': token, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  const file = (): Promise<string> => readFile(webhooks_config, 'utf8');
  const entriesOf = ({ json }: { json: Json }): Json[] => (json.webhooks as { entries: Json[] }).entries;

  const listed = await send('GET', '');
  expect(listed.text).not.toContain(secret);
  const [entry] = entriesOf(listed);
  expect(entry).toMatchObject({
    ...{ name: 'pipeline', url: `${receiver.url}/?[kept]`, events: ['tool.failed'] },
    headers: { authorization: '[kept]', 'x-team': `Bearer \${TEAM_TOKEN}` },
  });

  // Without the token of this start, from another site, or as a form: nothing changes.
  const before = await file();
  for (const headers of [
    { 'x-svc-admin-token': '' },
    { 'x-svc-admin-token': 'x'.repeat(43) },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    for (const [method, path] of [
      ['PUT', ''],
      ['DELETE', '/pipeline'],
      ['POST', '/test'],
    ] as const) {
      const { status } = await send(method, path, method === 'DELETE' ? undefined : { name: 'pipeline' }, headers);
      expect([headers, method, status]).toEqual([headers, method, 403]);
    }
  }
  const form = await send('PUT', '', { name: 'x' }, { 'content-type': 'text/plain' });
  expect([form.status, await file()]).toEqual([415, before]);
  expect(receiver.arrived).toHaveLength(0);

  // What is put again as it was shown is as it was; what is new is new.
  const changed = await send('PUT', '', { ...entry, events: ['tool.failed', 'tool.completed'] });
  expect(changed.status).toBe(200);
  expect(entriesOf(changed)[0]).toMatchObject({ events: ['tool.failed', 'tool.completed'] });
  const text = await file();
  for (const kept of ['# Ask the pipeline team.', '# The hall.', `?key=${secret}`, `Bearer ${secret}`, 'TEAM_TOKEN']) {
    expect(text).toContain(kept);
  }
  expect(text).not.toContain('[kept]');
  const tested = await send('POST', '/test', { name: 'pipeline' });
  expect(tested.json).toEqual({ name: 'pipeline', delivered: true, error: null });
  expect(receiver.arrived[0]?.headers.authorization).toBe(`Bearer ${secret}`);

  const added = await send('POST', '', { name: 'room', kind: 'chatrobot', url: receiver.url, events: ['*'] });
  expect(entriesOf(added).map(each => each.name)).toEqual(['pipeline', 'room']);

  // A new one does not take the place of another of its name.
  const taken = await send('POST', '', { name: 'pipeline', url: receiver.url, events: ['*'] });
  expect([taken.status, (taken.json.error as Json).kind]).toEqual([409, 'conflict']);
  expect((taken.json.error as Json).message).toContain('There is a webhook "pipeline" already');
  expect(entriesOf(await send('GET', ''))[0]).toMatchObject({ events: ['tool.failed', 'tool.completed'] });

  // What cannot be: told in a sentence, and the file is as it was.
  const good = await file();
  for (const [body, told] of [
    [{}, '"name" is missing'],
    [{ name: 'bad', url: 'ftp://x', events: ['*'] }, 'http'],
    [{ name: 'bad', url: receiver.url, events: [] }, 'events'],
    [{ name: 'bad', url: receiver.url, events: ['*'], colour: 'red' }, 'colour'],
    [{ name: 'other', url: `${receiver.url}?[kept]`, events: ['*'] }, 'the file does not have'],
    [{ ...entry, headers: { 'x-new': '[kept]' } }, 'the file does not have'],
  ] as const) {
    const { status, json } = await send('PUT', '', body);
    expect([status, (json.error as Json).message]).toEqual([400, expect.stringContaining(told)]);
    expect(await file()).toBe(good);
  }

  expect(entriesOf(await send('DELETE', '/room')).map(each => each.name)).toEqual(['pipeline']);
  const gone = await send('DELETE', '/room');
  expect([gone.status, (gone.json.error as Json).kind]).toEqual([404, 'not-found']);
  expect((await send('POST', '/test', { name: 'room' })).json).toMatchObject({ delivered: false });
});
