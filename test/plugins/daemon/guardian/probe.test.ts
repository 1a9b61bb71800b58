import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isTaken, probeGateway } from '../../../../plugins/daemon/guardian/probe.ts';
import { originOf } from '../../../../schemas/address.ts';
import { freePort } from '../../../helper.ts';

const host = '127.0.0.1';

async function listen(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, host, resolve));
  return (server.address() as { port: number }).port;
}

async function answering(answer: RequestListener): Promise<number> {
  const server = createHttpServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
}

const body =
  (status: number, text: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(text);

const gateway = { ok: true, service: 'dcc-mcp-gateway', product: 'svc', version: '1.2.3', registry: 'ours' };

test('only the gateway of this registry is healthy', async () => {
  const port = await answering(body(200, JSON.stringify(gateway)));
  expect(await probeGateway({ host, port }, 'ours', 1000)).toEqual({ state: 'healthy', version: '1.2.3' });
  expect(await probeGateway({ host, port }, 'another', 1000)).toEqual({
    state: 'elsewhere',
    detail: 'a gateway of another user or of another registry directory',
  });
});

test.each([
  [200, '{"ok":true,"service":"svc"}', 'as "svc"'],
  [503, JSON.stringify(gateway), 'status 503'],
  [200, '{"ok":true,"service":"dcc-mcp-gateway"}', 'status 200 as "dcc-mcp-gateway"'],
  [200, JSON.stringify({ ...gateway, product: 'other' }), 'as "dcc-mcp-gateway" of "other"'],
  [200, '<html>', 'status 200'],
  [200, 'null', 'status 200'],
  [200, 'x'.repeat(100_000), 'status 200'],
  [404, '', 'status 404'],
])('another answer is foreign: %d %.20s', async (status, text, detail) => {
  const port = await answering(body(status, text));
  const found = await probeGateway({ host, port }, 'ours', 1000);
  expect(found).toMatchObject({ state: 'foreign', detail: expect.stringContaining(detail) });
});

test('what does not speak HTTP is foreign', async () => {
  const server = createServer(socket => socket.end('SSH-2.0-OpenSSH\r\n'));
  onTestFinished(() => void server.close());
  expect(await probeGateway({ host, port: await listen(server) }, 'ours', 1000)).toMatchObject({ state: 'foreign' });
});

test('nobody is refused; who takes the connection and says nothing is silent', async () => {
  const port = await freePort();
  expect(await probeGateway({ host, port }, 'ours', 1000)).toEqual({ state: 'refused' });
  expect(await isTaken({ host, port })).toBe(false);
  const mute = await answering(() => undefined);
  expect(await probeGateway({ host, port: mute }, 'ours', 50)).toMatchObject({ state: 'silent' });
  expect(await isTaken({ host, port: mute })).toBe(true);
});

test('an abort ends the probe', async () => {
  const port = await answering(() => undefined);
  const abort = new AbortController();
  const found = probeGateway({ host, port }, 'ours', 60_000, abort.signal);
  abort.abort();
  expect(await found).toMatchObject({ state: 'silent' });
});

test('a wildcard address is reached through the loopback of its family', () => {
  expect(originOf({ host: '0.0.0.0', port: 1 })).toBe('http://127.0.0.1:1');
  expect(originOf({ host: '::', port: 1 })).toBe('http://[::1]:1');
});
