/** Instances that misbehave: every caller gets a typed error that names the instance, and the others serve on. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { expect, test } from 'vitest';
import { waitFor } from '../../../helper.ts';
import { addRow, startGateway, startInstance, startStranger, type TestGateway } from './support.ts';

/** An instance that shakes hands and then answers requests as `answer` says. */
function afterHandshake(
  answer: (id: number, response: ServerResponse, request: IncomingMessage) => void,
): RequestListener {
  return (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let text = '';
    request.on('data', chunk => {
      text += chunk;
    });
    request.on('end', () => {
      const { id, method } = JSON.parse(text) as { id?: number; method: string };
      if (id === undefined) return response.writeHead(202).end();
      if (method !== 'initialize') return answer(id, response, request);
      const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'odd', version: '0' } };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ result, id, jsonrpc: '2.0' }));
    });
  };
}

const answers: Record<string, (id: number, response: ServerResponse) => void> = {
  'a web page': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>'),
  'status 500': (_, response) => void response.writeHead(500).end('broken'),
  'an empty body': (_, response) => void response.writeHead(200).end(),
  'half a JSON': (id, response) => void response.end(`{"jsonrpc":"2.0","id":${id},"result":{"a":[1,`),
  'a result that is none': (id, response) => void response.end(`{"jsonrpc":"2.0","id":${id},"result":{a}}`),
  'another id': (id, response) => void response.end(`{"jsonrpc":"2.0","id":${id + 1},"result":{}}`),
  'neither result nor error': (id, response) => void response.end(`{"jsonrpc":"2.0","id":${id}}`),
  'an array': (_, response) => void response.end('[]'),
  'a stream of garbage': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: not json\n\nid: 1\ndata: {"half":\n\nnonsense\n\n');
  },
  'a stream without an answer': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n');
  },
};

test.each(Object.entries(answers))('%s is a bad answer', async (_, answer) => {
  const gateway = await startGateway();
  const { instance_id } = await startStranger(gateway, afterHandshake(answer));
  const backend = await gateway.backend(instance_id);
  for (const call of [backend.request('tools/list', {}), backend.callRaw('x', '{}', undefined)]) {
    await expect(call).rejects.toMatchObject({
      code: 'SVC_BACKENDS_BAD_ANSWER',
      row: { http: 502, kind: 'backend-error' },
      details: { instance_id, dcc_type: 'odd', backend: expect.stringContaining('odd.') },
    });
  }
  expect(backend.in_flight).toBe(0);
});

test('an unusual but proper answer is taken: other order of members, spaces, a stream, text of every kind', async () => {
  const gateway = await startGateway();
  const forms: ((id: number) => string)[] = [
    id => `{"id":${id},"result":{"a":"}\\""},"jsonrpc":"2.0"}`,
    id => ` {"jsonrpc": "2.0", "id": ${id}, "result": {"a":"}\\""} } `,
    id => `{"jsonrpc":"2.0","id":${id},"result":{"a":"}\\""},"extra":{}}`,
    id => `{"jsonrpc":"2.0","id":${id},"result":{"a":"}\\""}}`,
  ];
  let turn = 0;
  const listener = afterHandshake((id, response) => {
    const form = forms[turn % forms.length] as (id: number) => string;
    turn += 1;
    if (turn <= forms.length) response.end(form(id));
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`: hello\n\ndata: ${form(id)}\n\n`);
  });
  const { instance_id } = await startStranger(gateway, listener);
  const backend = await gateway.backend(instance_id);
  for (let index = 0; index < forms.length * 2; index += 1) {
    expect(JSON.parse(await backend.callRaw('x', '{}', undefined))).toEqual({ a: '}"' });
  }
});

test('an endless answer is cut at the bound, declared or not', async () => {
  const gateway = await startGateway();
  let closed = 0;
  const listener = afterHandshake((id, response) => {
    response.on('close', () => {
      closed += 1;
    });
    if (id % 2 === 0) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1024 ** 3 });
      response.flushHeaders();
      return;
    }
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const pump = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', pump);
    pump();
  });
  const { instance_id } = await startStranger(gateway, listener);
  const backend = await gateway.backend(instance_id);
  for (let count = 1; count <= 2; count += 1) {
    await expect(backend.callRaw('x', '{}', undefined)).rejects.toMatchObject({
      code: 'SVC_BACKENDS_TOO_LARGE',
      row: { http: 502, kind: 'backend-error' },
    });
    await waitFor(() => closed === count, 'the cut');
  }
});

test('large answers that come all at once are bounded together, and nothing of them stays', async () => {
  const gateway = await startGateway();
  let large = true;
  const listener = afterHandshake((id, response) => {
    if (!large) return void response.end(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    response.writeHead(200);
    for (let part = 0; part < 40; part += 1) response.write(Buffer.alloc(1024 * 1024, 'x'));
  });
  const { instance_id } = await startStranger(gateway, listener);
  const backend = await gateway.backend(instance_id);
  const leaving = new AbortController();
  const calls = Array.from({ length: 5 }, () =>
    backend.callRaw('x', '{}', undefined, { signal: leaving.signal }).catch(({ code }: { code: string }) => {
      // The others would wait for the rest of their answers.
      if (code === 'SVC_BACKENDS_OVERLOADED') leaving.abort();
      return code;
    }),
  );
  const codes = await Promise.all(calls);
  expect(codes).toContain('SVC_BACKENDS_OVERLOADED');
  large = false;
  await expect(backend.callRaw('x', '{}', undefined)).resolves.toEqual('{}');
});

test('silence ends at the deadline; after five failures the instance is left alone, then tried again', async () => {
  let silent = false;
  let asked = 0;
  const gateway = await startGateway();
  const listener = afterHandshake((id, response) => {
    asked += 1;
    if (!silent) response.end(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
  });
  const { instance_id } = await startStranger(gateway, listener);
  const backend = await gateway.backend(instance_id);
  // The handshake takes its time; the deadlines below are for answers.
  await expect(backend.request('tools/list', {})).resolves.toEqual({});
  [silent, asked] = [true, 0];
  for (let failure = 0; failure < 5; failure += 1) {
    const call = backend.request('tools/list', {}, { timeoutMs: 200 });
    await expect(call).rejects.toMatchObject({ code: 'SVC_BACKENDS_TIMEOUT' });
  }
  expect(backend.circuit).toBe('open');
  await expect(backend.request('tools/list', {})).rejects.toMatchObject({
    code: 'SVC_BACKENDS_CIRCUIT_OPEN',
    row: { http: 503, kind: 'instance-offline' },
    details: { failures: 5, previous_status: 'unreachable', retry_after_secs: expect.any(Number) },
  });
  expect(asked).toBe(5);
  silent = false;
  await waitFor(() => backend.circuit === 'half-open', 'the half-open circuit');
  await expect(backend.request('tools/list', {})).resolves.toEqual({});
  expect(backend.circuit).toBe('closed');
});

test('a read is repeated when its connection breaks, a call never', async () => {
  const gateway = await startGateway();
  let asked = 0;
  const listener = afterHandshake((id, response, request) => {
    asked += 1;
    if (asked < 3) request.socket.destroy();
    else response.end(`{"jsonrpc":"2.0","id":${id},"result":{"asked":${asked}}}`);
  });
  const { instance_id } = await startStranger(gateway, listener);
  const backend = await gateway.backend(instance_id);
  await expect(backend.request('tools/list', {}, { idempotent: true })).resolves.toEqual({ asked: 3 });
  asked = 0;
  await expect(backend.callRaw('x', '{}', undefined)).rejects.toMatchObject({
    code: 'SVC_BACKENDS_BROKEN',
    row: { http: 502, kind: 'backend-error' },
  });
  expect(asked).toBe(1);
});

test('an instance that refuses work, or says that its host died, is believed', async () => {
  const gateway = await startGateway();
  let dead = false;
  const listener = afterHandshake((id, response) => {
    if (!dead) response.writeHead(503, { 'retry-after': '7' }).end();
    else
      response.end(
        `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"crashed","data":{"kind":"host-died"}}}`,
      );
  });
  const { instance_id } = await startStranger(gateway, listener);
  const backend = await gateway.backend(instance_id);
  await expect(backend.request('x', {})).rejects.toMatchObject({
    code: 'SVC_BACKENDS_OVERLOADED',
    row: { http: 503, kind: 'host-busy' },
    details: { retry_after_secs: 7 },
  });
  dead = true;
  await expect(backend.request('x', {})).rejects.toMatchObject({ message: expect.stringContaining('crashed') });
  await waitFor(() => gateway.app.instances.get(instance_id) === undefined, 'its absence');
});

test('nobody at the port, and nobody who speaks HTTP', async () => {
  const gateway = await startGateway();
  const { instance_id: fine } = await startInstance(gateway);
  const neighbour = await gateway.backend(fine);
  const tcp = createTcpServer(socket => socket.on('error', () => undefined).end('HELO nobody\r\n\r\n'));
  await new Promise<void>(resolve => tcp.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = tcp.address() as { port: number };
    const garbage = await added(gateway, port);
    await expect(garbage.request('ping', {})).rejects.toMatchObject({
      code: expect.stringMatching(/^SVC_BACKENDS_(BAD_ANSWER|BROKEN)$/),
      row: { http: 502, kind: 'backend-error' },
    });
  } finally {
    tcp.close();
  }
  const nobody = await added(gateway, 1);
  await expect(nobody.request('ping', {})).rejects.toMatchObject({
    code: 'SVC_BACKENDS_UNREACHABLE',
    row: { http: 503, kind: 'instance-offline' },
    details: { previous_status: 'unreachable' },
  });
  await waitFor(() => !gateway.app.backends.list().includes(nobody), 'its absence');
  await expect(neighbour.request('ping', {})).resolves.toEqual({});
});

/** The backend of a fresh row, before a probe can judge it. */
async function added(gateway: TestGateway, port: number) {
  return gateway.app.backends.get(addRow(gateway, port, 'odd'));
}
