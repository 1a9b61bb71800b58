import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { InstanceRow } from '../../../../schemas/instance.ts';
import { verifies } from '../../../spec/verifies.ts';
import { answering } from '../../skills/support.ts';
import { gatewayOver, type Json, toolsOfHost } from '../support.ts';

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

test('policy-denied is 403; a search hides what is denied; a batch keeps 200 [spec:shape:envelope]', async () => {
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

test('host-busy is 503 with Retry-After, backend-error and schema-unavailable are 502 [spec:shape:envelope]', async () => {
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
