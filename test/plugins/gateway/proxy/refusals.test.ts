/** What a client of MCP is told at the proxy when its instance does not answer: errors of JSON-RPC, whichever way it fails. */
import type { ServerResponse } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { addRow, startGateway, startInstance, startStranger } from '../backends/support.ts';

const headers = {
  ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  'mcp-protocol-version': '2025-06-18',
};
const call = (id?: number | string) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  method: 'tools/call',
  params: { name: 'x' },
});

/** A gateway, and an instance that gets a call and then does what the test says. */
async function breaking(act: (response: ServerResponse) => void) {
  const gateway = await startGateway();
  const { instance_id } = await startStranger(gateway, (request, response) => {
    if (request.url !== '/mcp') return void response.writeHead(404).end();
    request.resume().on('end', () => act(response));
  });
  const url = `${gateway.url}/mcp/${instance_id}`;
  const post = (body: unknown, own: object = {}) =>
    fetch(url, { method: 'POST', headers: { ...headers, ...own }, body: JSON.stringify(body) });
  return { gateway, url, post };
}

const broken = (id: unknown) => ({
  jsonrpc: '2.0',
  id,
  error: {
    code: -32603,
    message: expect.stringMatching(/^odd\.\w{8} /),
    data: expect.objectContaining({
      kind: expect.stringMatching(/^(backend-error|host-died)$/),
      code: expect.any(String),
    }),
  },
});

test('a call that was handed on fails as a call, in answer to its own id', async () => {
  const { url, post } = await breaking(response => void response.destroy());
  for (const id of [7, 'seven']) {
    const answer = await post(call(id));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await answer.json()).toEqual(broken(id));
  }
  // Each of a batch has its own; who waits for nothing learns it from the status.
  expect(await (await post([call(1), call(), call(2)], { 'mcp-protocol-version': '2025-03-26' })).json()).toEqual([
    broken(1),
    broken(2),
  ]);
  const note = await post(call());
  const unasked = broken(null);
  expect([note.status, await note.json()]).toEqual([502, unasked]);
  for (const method of ['GET', 'DELETE']) {
    const answer = await fetch(url, { method, headers });
    expect([answer.status, await answer.json()]).toEqual([502, unasked]);
  }
});

test('a stream that breaks off ends with the error, unless it stops within an event', async () => {
  const progress =
    'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\n\n';
  for (const [sent, told] of [
    ['', true],
    [progress, true],
    [progress.slice(0, -1), false],
  ] as const) {
    const { post } = await breaking(response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sent || ': \n\n');
      setTimeout(() => response.destroy(), 50);
    });
    const text = (await post(call(3))).text();
    if (!told) await expect(text).rejects.toThrow();
    else expect(JSON.parse((await text).trim().split('\ndata: ').at(-1) ?? '')).toEqual(broken(3));
  }
});

test('half an answer with a length is a broken connection, not an answer', async () => {
  const { post } = await breaking(response => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"jsonrpc":');
    setTimeout(() => response.destroy(), 50);
  });
  await expect((await post(call(3))).text()).rejects.toThrow();
});

test('a client of the official SDK hears of the end of its instance as of a failed call', async () => {
  const gateway = await startGateway();
  const { instance_id, server, service } = await startInstance(gateway);
  let called: () => void = () => undefined;
  const waits = new Promise<void>(resolve => {
    called = resolve;
  });
  await server.registerTool({ name: 'hang', description: 'Never ends.', execution: 'sync' }, () => {
    called();
    return new Promise(() => undefined);
  });
  await gateway.backend(instance_id);
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp/${instance_id}`)));
  onTestFinished(() => client.close());
  const failed = client.callTool({ name: 'hang', arguments: {} }).catch(error => error);
  await waits;
  await service.shutdown();
  expect(await failed).toMatchObject({ name: 'McpError', code: expect.any(Number) });
  // Nobody listens there any more: before it is known that the instance has gone, and after.
  const later = await client.callTool({ name: 'hang', arguments: {} }).catch(error => error);
  expect(String(later)).not.toContain('"error":{"kind"');
});

test('what cannot be handed on has a status, and an error of JSON-RPC all the same', async () => {
  const gateway = await startGateway({ max_request_body_bytes: 1024 });
  const { instance_id } = await startStranger(gateway, (_, response) => void response.writeHead(404).end());
  const nobody = addRow(gateway, 1, 'houdini');
  const post = async (path: string, body: object, revision = '2025-06-18') => {
    const own = { ...headers, 'mcp-protocol-version': revision };
    const answer = await fetch(gateway.url + path, { method: 'POST', headers: own, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  };
  const error = (kind: string, id: object = { id: null }) => ({
    ...{ jsonrpc: '2.0', ...id },
    error: { code: expect.any(Number), message: expect.any(String), data: expect.objectContaining({ kind }) },
  });
  expect(await post('/mcp/dcc/blender', call(1))).toEqual({ status: 503, body: error('instance-offline') });
  expect(await post('/mcp/abc', call(1))).toEqual({ status: 400, body: error('bad-request') });
  // As later revisions have it.
  expect(await post('/mcp/abc', call(1), '2025-11-25')).toEqual({ status: 400, body: error('bad-request', {}) });
  const large = { ...call(1), params: { name: 'x'.repeat(1100) } };
  expect(await post(`/mcp/${instance_id}`, large)).toEqual({ status: 413, body: error('bad-request') });
  expect(await post(`/mcp/${nobody}`, call(1))).toMatchObject({
    status: 503,
    body: { jsonrpc: '2.0', error: { data: { kind: 'instance-offline' } } },
  });
});
