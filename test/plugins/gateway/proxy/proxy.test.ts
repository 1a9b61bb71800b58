/** The transparent proxy: everything that an instance serves under `/mcp`, under the gateway's address. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { waitFor } from '../../../helper.ts';
import { verifies } from '../../../spec/verifies.ts';
import { connect } from '../../../spec/wire.ts';
import { addRow, startGateway, startInstance, startStranger } from '../backends/support.ts';

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
});

verifies(['proxy:instance'], 'a client works with one instance through the gateway as it does without it', async () => {
  const gateway = await startGateway();
  const { instance_id, server, service } = await startInstance(gateway);
  await server.registerTool({ name: 'steps', description: 'Reports.', execution: 'sync' }, async (_, call) => {
    for (let step = 1; step <= 3; step += 1) call.progress(step, 3);
    await new Promise(resolve => setTimeout(resolve, 20));
    return { done: true };
  });
  await gateway.backend(instance_id);
  // A revision in which a call with a progress token waits for its result.
  const since = { protocolVersion: '2025-06-18' };
  const direct = await connect(service.mcpUrl(), since);
  for (const id of [instance_id, instance_id.slice(0, 8)]) {
    const client = await connect(`${gateway.url}/mcp/${id}`, since);
    expect(client.initialized.result).toEqual(direct.initialized.result);
    expect(await client.result('tools/list')).toEqual(await direct.result('tools/list'));
    expect(await client.callJson('echo', { text: 'ä' })).toEqual({ text: 'ä' });
    const stepped = await client.request('tools/call', {
      name: 'steps',
      arguments: {},
      _meta: { progressToken: 't' },
    });
    expect(stepped.notifications.map(each => each.method)).toContain('notifications/progress');
    expect(JSON.stringify(stepped.result)).toContain('done');
    const stream = await client.stream();
    expect(stream.status).toBe(200);
    await server.registerTool({ name: `new_${id.length}`, description: 'New.' }, () => ({}));
    await stream.next(message => message.method === 'notifications/tools/list_changed');
    stream.close();
    expect((await client.end()).status).toBe(204);
    expect((await client.request('ping')).status).toBe(404);
  }
});

test('large bodies pass in both directions, with a length and without', async () => {
  const gateway = await startGateway();
  const { instance_id } = await startInstance(gateway);
  await gateway.backend(instance_id);
  const url = `${gateway.url}/mcp/${instance_id}`;
  const client = await connect(url);
  const text = 'grüße '.repeat(60_000);
  expect(await client.callJson('echo', { text })).toEqual({ text });
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 9,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text } },
  });
  const chunked = await fetch(url, {
    method: 'POST',
    headers: { ...json, 'mcp-session-id': client.sessionId },
    body: new Blob([body]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(chunked.status).toBe(200);
  const { result } = (await chunked.json()) as { result: { content: { text: string }[] } };
  expect(JSON.parse(result.content[0]?.text ?? '')).toEqual({ text });
});

/** What proves to the gateway who asks, or says how he came. */
const ours = [
  'authorization',
  'cookie',
  'x-api-key',
  'forwarded',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];

test('what an answer says of its connection stays behind, and so does what is between the client and us; everything else passes, the query too', async () => {
  const gateway = await startGateway();
  let seen: IncomingMessage | undefined;
  const { instance_id, port } = await startStranger(gateway, (request, response) => {
    if (request.url?.startsWith('/mcp')) seen = request;
    response.writeHead(418, {
      'x-answer': 'yes',
      connection: 'close',
      'keep-alive': 'timeout=1',
      'x-several': ['a=1', 'b=2'],
      'set-cookie': 'session=of-the-instance',
    });
    response.end('tea');
  });
  gateway.app.backends.get(instance_id);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = httpRequest(`${gateway.url}/mcp/${instance_id}?q=1`, {
      method: 'POST',
      headers: {
        ...{ 'x-ask': 'yes', 'x-hop': 'no', connection: 'x-hop', te: 'trailers', origin: 'http://localhost' },
        ...Object.fromEntries(ours.map(each => [each, 'of-the-gateway'])),
      },
    });
    sent.on('response', response => resolve(response.resume()));
    sent.on('error', reject);
    sent.end('body');
  });
  expect(answer.statusCode).toBe(418);
  expect(answer.headers).toMatchObject({ 'x-answer': 'yes', 'x-several': 'a=1, b=2' });
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(answer.headers['keep-alive']).not.toBe('timeout=1');
  expect(seen?.url).toBe('/mcp?q=1');
  expect(seen?.headers).toMatchObject({ host: `127.0.0.1:${port}`, 'x-ask': 'yes' });
  for (const name of ['x-hop', 'te', 'origin', ...ours]) expect(seen?.headers[name]).toBeUndefined();
});

test('the stream arrives as it is made, and is closed over there when the client leaves', async () => {
  const gateway = await startGateway();
  let send: ((text: string) => void) | undefined;
  let closed = false;
  const { instance_id } = await startStranger(gateway, (request, response) => {
    if (request.url !== '/mcp') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    send = text => void response.write(text);
    response.on('close', () => {
      closed = true;
    });
  });
  gateway.app.backends.get(instance_id);
  const leaving = new AbortController();
  for (const method of ['GET', 'POST']) {
    closed = false;
    const aborter = method === 'GET' ? new AbortController() : leaving;
    const answer = await fetch(`${gateway.url}/mcp/${instance_id}`, { method, signal: aborter.signal });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
      send?.(text);
      expect(new TextDecoder().decode((await reader.read()).value)).toBe(text);
    }
    aborter.abort();
    await waitFor(() => closed, `the end of the ${method} over there`);
  }
  await waitFor(() => gateway.app.backends.get(instance_id).in_flight === 0, 'no call in flight');
});

test('a client that does not read holds back the instance, not the memory of the gateway', async () => {
  const gateway = await startGateway();
  let written = 0;
  const chunk = Buffer.alloc(256 * 1024);
  const { instance_id } = await startStranger(gateway, (_, response) => {
    response.writeHead(200);
    const pump = (): void => {
      let more = true;
      while (more && !response.destroyed) {
        more = response.write(chunk);
        written += chunk.length;
      }
    };
    response.on('drain', pump);
    pump();
  });
  gateway.app.backends.get(instance_id);
  const answer = await new Promise<IncomingMessage>(resolve =>
    httpRequest(`${gateway.url}/mcp/${instance_id}`, { method: 'POST' }, resolve).end(),
  );
  answer.pause();
  let before = -1;
  await waitFor(
    async () => {
      if (before === written && written > 0) return true;
      before = written;
      await new Promise(resolve => setTimeout(resolve, 200));
      return false;
    },
    'the instance to be held back',
    10_000,
  );
  expect(written).toBeLessThan(64 * 1024 * 1024);
  answer.destroy();
});

verifies(['proxy:dcc'], 'a session stays with the instance that gave it; new ones go to the least busy', async () => {
  const gateway = await startGateway();
  const instances = [await startInstance(gateway), await startInstance(gateway)];
  const backends = await Promise.all(instances.map(each => gateway.backend(each.instance_id)));
  await waitFor(() => backends.every(each => each.ready === true), 'the probes');
  const [busy, free] = backends as [(typeof backends)[0], (typeof backends)[0]];
  const url = `${gateway.url}/mcp/dcc/maya`;
  const open = () => connect(url);
  busy.enter();
  const onFree = await Promise.all([open(), open(), open()]);
  busy.leave(true);
  free.enter();
  free.enter();
  const onBusy = await open();
  free.leave(true);
  free.leave(true);
  const sessions = (index: number) => connect(instances[index]?.service.mcpUrl() ?? '');
  expect((await sessions(0)).sessionId).not.toBe('');
  for (const client of [...onFree, onBusy, ...onFree]) {
    // A session is unknown to any other instance, so that an answer proves where it went.
    expect(await client.result('ping')).toEqual({});
  }
  const direct = await fetch(instances[0]?.service.mcpUrl() ?? '', {
    method: 'POST',
    headers: { ...json, 'mcp-session-id': onBusy.sessionId },
    body: '{"jsonrpc":"2.0","id":5,"method":"ping"}',
  });
  expect(direct.status).toBe(200);
  await instances[0]?.server.close();
  await waitFor(() => gateway.app.backends.ofType('maya').length === 1, 'the end of one');
  expect((await onBusy.request('ping')).status).toBe(404);
  expect(await onFree[0]?.result('ping')).toEqual({});
});

test('errors: unknown, too short, of no running type, unreachable, too large, a foreign origin', async () => {
  const gateway = await startGateway({ max_request_body_bytes: 4096 });
  const { instance_id } = await startInstance(gateway);
  await gateway.backend(instance_id);
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(gateway.url + path, { method: 'POST', headers: json, body: initialize, ...init });
    return { status: answer.status, ...((await answer.json()) as { error?: Record<string, unknown> }) };
  };
  expect(await ask('/mcp/00000000-0000-4000-8000-000000000000')).toMatchObject({
    status: 404,
    error: { data: { kind: 'instance-offline', previous_status: 'never-registered' } },
  });
  expect(await ask('/mcp/abc')).toMatchObject({ status: 400, error: { data: { kind: 'bad-request' } } });
  expect(await ask('/mcp/dcc/houdini')).toMatchObject({ status: 503, error: { data: { kind: 'instance-offline' } } });
  const nobody = addRow(gateway, 1, 'odd');
  const missing = await ask(`/mcp/${nobody}`);
  expect(missing).toMatchObject({ status: 503, error: { data: { kind: 'instance-offline' } } });
  expect(await ask(`/mcp/${instance_id}`, { body: 'x'.repeat(5000) })).toMatchObject({ status: 413 });
  const foreign = { headers: { ...json, origin: 'http://elsewhere.example' } };
  expect((await ask(`/mcp/${instance_id}`, foreign)).status).toBe(403);
  expect((await ask(`/mcp/${instance_id}`)).status).toBe(200);
});
