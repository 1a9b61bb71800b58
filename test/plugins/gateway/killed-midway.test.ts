/** An instance that is killed while every kind of request waits for it: each is answered, soon, and says what became of it. */
import { expect, test } from 'vitest';
import { aggregationPlugin } from '../../../plugins/gateway/aggregation/index.ts';
import { proxyPlugin } from '../../../plugins/gateway/proxy/index.ts';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import { waitFor } from '../../helper.ts';
import { connect } from '../../spec/wire.ts';
import { spawnInstance } from './backends/support.ts';
import { startGateway } from './rig.ts';

/** Far below every deadline: who is answered by this time was not left to wait for one. */
const soonMs = 5000;

test('who waits for an instance that is killed is answered at once, whatever the way', async () => {
  const gateway = await startGateway([gatewayRestPlugin, proxyPlugin, aggregationPlugin]);
  const { child, instance_id } = await spawnInstance(gateway);
  const { instance } = await gateway.backend(instance_id);
  await gateway.app.capabilities.refresh();
  const short = instance_id.slice(0, 8);
  const tool_slug = `maya.${short}.wait`;
  const [client, direct] = [await connect(`${gateway.url}/mcp`), await connect(`${gateway.url}/mcp/${instance_id}`)];
  const standing = await direct.stream();
  const call = { tool_slug, arguments: { ms: 60_000 } };
  const post = async (path: string, body: object): Promise<string> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await fetch(gateway.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return `${answer.status} ${await answer.text()}`;
  };
  const read = async (path: string): Promise<string> => {
    const answer = await fetch(gateway.url + path, { headers: { accept: 'application/json' } });
    return `${answer.status} ${await answer.text()}`;
  };
  const rpc = async (wire: typeof client, method: string, params: Record<string, unknown>): Promise<string> =>
    JSON.stringify(await wire.request(method, params));

  const waiting: Record<string, Promise<string>> = {
    'POST /v1/call': post('/v1/call', call),
    'POST /v1/call that waits for the end of a job': post('/v1/call', {
      ...call,
      meta: { dcc: { async: true, wait_for_terminal: true } },
    }),
    'POST /v1/call_batch': post('/v1/call_batch', { calls: [call, call] }),
    'tools/call of call': rpc(client, 'tools/call', { name: 'call', arguments: call }),
    'tools/call through the proxy': rpc(direct, 'tools/call', { name: 'wait', arguments: call.arguments }),
    'resources/read': rpc(client, 'resources/read', { uri: `slow://${short}/one` }),
    'GET /v1/resources': read(`/v1/resources/${encodeURIComponent(`slow://${short}/one`)}`),
    'prompts/get': rpc(client, 'prompts/get', { name: `i_${short}__slow` }),
    'GET /v1/prompts': read(`/v1/prompts/i_${short}__slow`),
  };
  const backend = gateway.app.backends.get(instance_id);
  await waitFor(() => backend.in_flight >= Object.keys(waiting).length - 1, 'all of them to wait', 10_000).catch(
    error => {
      throw new Error(`${error.message}: ${backend.in_flight} do`);
    },
  );
  const killed = performance.now();
  child.kill('SIGKILL');
  const answered = await Promise.all(
    Object.entries(waiting).map(async ([kind, answer]) => [kind, await answer, performance.now() - killed] as const),
  );
  for (const [kind, text, took] of answered) {
    expect(took, kind).toBeLessThan(soonMs);
    expect(text, kind).toMatch(/error|isError|"success":false/);
    // Which instance it was, and that nobody knows whether the call was carried out.
    expect(text, kind).toContain(short);
  }
  expect(standing.messages).toEqual([]);
  await waitFor(() => !gateway.app.instances.live().some(each => each.instance_id === instance.instance_id), 'its end');
});
