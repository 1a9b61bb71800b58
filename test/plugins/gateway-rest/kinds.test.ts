import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { InstanceRow } from '../../../schemas/instance.ts';
import { waitFor } from '../../helper.ts';
import { verifies } from '../../spec/verifies.ts';
import { gatewayOver, type Json, toolsOfHost } from '../gateway/support.ts';
import { answering } from '../skills/support.ts';

type Gateway = Awaited<ReturnType<typeof gatewayOver>>;
const maya = { dcc_type: 'maya', setup: toolsOfHost };

const errorOf = (answer: { status: number; json: Json }): Json => ({
  status: answer.status,
  ...(answer.json.error as Json),
});

/** A row as a remote host would assert it. */
function assertRow({ app }: Gateway, instance_id: string, port: number): void {
  const row = { schema_version: 1, instance_id, dcc_type: 'odd', host: '127.0.0.1', port, status: 'available' };
  app.instances
    .source('http')
    .assert({ ...row, metadata: {}, extras: {}, registered_at: Date.now() / 1000 } as unknown as InstanceRow);
}

/** A server of any behaviour but for its readiness; its port. */
async function stranger(status: number, body: string, headers: Record<string, string> = {}): Promise<number> {
  const ready = JSON.stringify({ process: true, dcc: true, skill_catalog: true, dispatcher: true });
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/v1/readyz') response.end(ready);
    else response.writeHead(status, headers).end(body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

verifies(
  ['gateway-rest:errors'],
  'CONTRACT 3.3: instance-offline says what the instance was: 404, 410, 503',
  async () => {
    const gateway = await gatewayOver([maya, maya]);
    const { app, post, hosts } = gateway;
    const slug = (index: number) => `maya.${hosts[index]?.short}.echo`;
    const call = async (tool_slug: string) => errorOf(await post('call', { tool_slug, arguments: { text: 'x' } }));
    expect(await call('maya.ffffffff.echo')).toMatchObject({
      status: 404,
      kind: 'instance-offline',
      previous_status: 'never-registered',
    });
    await hosts[0]?.server.close();
    await waitFor(async () => {
      await app.instances.refresh();
      return app.instances.live().length === 1;
    }, 'the row to go');
    expect(await call(slug(0))).toMatchObject({
      status: 410,
      kind: 'instance-offline',
      previous_status: expect.stringMatching(/exited|deregistered/),
      previous_instance_id: hosts[0]?.id,
    });
    app.instances.report(String(hosts[1]?.id), { kind: 'unreachable', message: 'for the test' });
    app.instances.report(String(hosts[1]?.id), { kind: 'unreachable', message: 'for the test' });
    expect(await call(slug(1))).toMatchObject({
      status: 503,
      kind: 'instance-offline',
      previous_status: 'unreachable',
    });
  },
);

test('CONTRACT 3.3: host-died is 502, and the instance is gone at once', async () => {
  const { app, post, hosts } = await gatewayOver([maya]);
  const tool_slug = `maya.${hosts[0]?.short}.dies`;
  expect(errorOf(await post('call', { tool_slug }))).toMatchObject({ status: 502, kind: 'host-died' });
  expect(app.instances.live()).toEqual([]);
  expect(app.gatewayEvents.lines()).toContain('host_died');
  expect(errorOf(await post('call', { tool_slug }))).toMatchObject({ status: 410, previous_status: 'host-died' });
});

test('CONTRACT 3.3: instance-leased and lease-owner-mismatch are 409; the owner gets through', async () => {
  const { app, post, hosts, registry_dir } = await gatewayOver([maya]);
  const [host] = hosts;
  const file = join(registry_dir, 'instances', `${host?.id}.json`);
  const row = JSON.parse(await readFile(file, 'utf8')) as Json;
  await writeFile(
    `${file}.new~`,
    JSON.stringify({ ...row, lease_owner: 'me', lease_expires_at: Date.now() / 1000 + 60 }),
  );
  await rename(`${file}.new~`, file);
  await waitFor(async () => {
    await app.instances.refresh();
    return app.instances.live()[0]?.row.lease_owner === 'me';
  }, 'the lease to be seen');
  const call = (meta?: Json) => post('call', { tool_slug: `maya.${host?.short}.echo`, arguments: { text: 'x' }, meta });
  expect(errorOf(await call())).toMatchObject({ status: 409, kind: 'instance-leased' });
  expect(errorOf(await call({ lease_owner: 'you' }))).toMatchObject({ status: 409, kind: 'lease-owner-mismatch' });
  expect((await call({ lease_owner: 'me' })).status).toBe(200);
});

test('CONTRACT 3.3: policy-denied is 403; a search hides what is denied; a batch keeps 200', async () => {
  const packages = { rig: answering('rig', 'yes') };
  const { post, hosts } = await gatewayOver([{ ...maya, packages }], { gateway_read_only: true });
  const slug = (tool: string) => `maya.${hosts[0]?.short}.${tool}`;
  const { hits } = (await post('search', { limit: 100 })).json as { hits: Json[] };
  expect(hits.map(each => each.backend_tool)).toEqual(['echo']);
  expect(hits[0]?.rank).toBe(1);
  const denied = {
    status: 403,
    kind: 'policy-denied',
    policy: { read_only: true, operation: 'call', tool_slug: slug('fails') },
  };
  expect(errorOf(await post('call', { tool_slug: slug('fails') }))).toMatchObject(denied);
  expect((await post('call', { tool_slug: slug('echo'), arguments: { text: 'x' } })).status).toBe(200);
  for (const path of ['load_skill', 'unload_skill']) {
    expect(errorOf(await post(path, { skill_name: 'rig' }))).toMatchObject({
      status: 403,
      policy: { operation: path },
    });
  }
  const group = await post('load_skill', { tool_group: 'extras', instance_id: hosts[0]?.id });
  expect(errorOf(group)).toMatchObject({ status: 403, policy: { operation: 'group' } });
  const batch = await post('call_batch', { calls: [{ tool_slug: slug('fails') }] });
  expect(batch.json).toMatchObject({ success: false, results: [{ ok: false, error: { kind: 'policy-denied' } }] });
});

test('CONTRACT 3.3: ambiguous is 409, ambiguous-instance 400, a short prefix a bad request', async () => {
  const gateway = await gatewayOver([]);
  const { post } = gateway;
  const port = await stranger(200, '{}');
  for (const end of ['1', '2']) assertRow(gateway, `abcdabc${end}-0000-4000-8000-000000000000`, port);
  const ambiguous = errorOf(await post('call', { tool_slug: 'odd.abcdabc.echo' }));
  expect(ambiguous).toMatchObject({ status: 409, kind: 'ambiguous' });
  expect(ambiguous.candidates).toHaveLength(2);
  expect(errorOf(await post('load_skill', { skill_name: 'x', dcc: 'odd' }))).toMatchObject({
    status: 400,
    kind: 'ambiguous-instance',
  });
  expect(errorOf(await post('search', { instance_id: 'abc' }))).toMatchObject({ status: 400, kind: 'bad-request' });
});

test('CONTRACT 3.3: host-busy is 503 with Retry-After, backend-error and schema-unavailable are 502', async () => {
  const gateway = await gatewayOver([]);
  const busy = await stranger(503, 'later', { 'retry-after': '3' });
  const strange = await stranger(200, '<html>hello</html>', { 'content-type': 'text/html' });
  assertRow(gateway, 'aaaa0001-0000-4000-8000-000000000000', busy);
  assertRow(gateway, 'aaaa0002-0000-4000-8000-000000000000', strange);
  const refused = await gateway.post('call', { tool_slug: 'odd.aaaa0001.jobs_get_status' });
  expect(errorOf(refused)).toMatchObject({ status: 503, kind: 'host-busy', retryable: true });
  expect(refused.headers['retry-after']).toBe('3');
  const tool_slug = 'odd.aaaa0002.jobs_get_status';
  expect(errorOf(await gateway.post('call', { tool_slug }))).toMatchObject({ status: 502, kind: 'backend-error' });
  expect(errorOf(await gateway.post('describe', { tool_slug }))).toMatchObject({
    status: 502,
    kind: 'schema-unavailable',
  });
});

test('CONTRACT 3.3: throttled is 429 with Retry-After', async () => {
  const options = { max_running_jobs: 1, max_pending_jobs: 1 };
  const { post, hosts } = await gatewayOver([{ ...maya, options }]);
  const call = () => post('call', { tool_slug: `maya.${hosts[0]?.short}.render`, arguments: { ms: 3000 } });
  const answers = [await call(), await call(), await call()];
  const last = answers.find(each => each.status !== 200);
  expect(last && errorOf(last)).toMatchObject({ status: 429, kind: 'throttled', backend: { code: -32005 } });
  expect(last?.headers['retry-after']).toBe('1');
});

test('CONTRACT 3.3: an affinity violation is 400 at the gateway', async () => {
  const tools =
    'tools:\n  - name: pinned_answer\n    description: Pinned.\n    affinity: main\n    enforce_thread_affinity: true\n';
  const { post, app, hosts } = await gatewayOver([
    { ...maya, packages: { pinned: answering('pinned', 'no', { tools }) } },
  ]);
  expect((await post('load_skill', { skill_name: 'pinned' })).status).toBe(200);
  await app.capabilities.refresh();
  const answer = await post('call', { tool_slug: `maya.${hosts[0]?.short}.pinned_answer` });
  expect(errorOf(answer)).toMatchObject({ status: 400, kind: 'affinity-violation' });
});

verifies(
  ['builtin:jobs_get_status-gateway'],
  'jobs are polled through the gateway while the host is not ready',
  async () => {
    const { app, post, hosts } = await gatewayOver([maya]);
    const [host] = hosts;
    const receipt = await post('call', { tool_slug: `maya.${host?.short}.render` });
    const { job_id } = receipt.json.structuredContent as Json;
    app.instances.report(String(host?.id), { kind: 'booting', message: 'for the test' });
    const polled = await post('call', { tool_slug: `maya.${host?.short}.jobs_get_status`, arguments: { job_id } });
    expect(polled.json).toMatchObject({ structuredContent: { job_id } });
  },
);
