/** Channels over real sockets: lines in, lines out in any order, and every connection that is refused one. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { call, type Json, mcpServer, request } from './wire.ts';

const target = 'svc-channel:2';
const asGateway = { capabilities: { experimental: { 'svc/gateway': {} } } };

async function connect(base: string, headers: Record<string, string>, path = target) {
  const { hostname, port } = new URL(base);
  const asked = httpRequest({ hostname, port, method: 'CONNECT', path, headers }).end();
  const [{ statusCode }, socket] = (await once(asked, 'connect')) as [IncomingMessage, Socket];
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  const lines: string[] = [];
  createInterface({ input: socket, terminal: false }).on('line', line => lines.push(line));
  const closed = once(socket, 'close');
  const say = (...messages: unknown[]): void => void socket.write(messages.map(each => `${text(each)}\n`).join(''));
  const answers = (count: number): Promise<Json[]> =>
    waitFor(() => lines.length >= count, `${count} lines`).then(() =>
      lines.map(each => JSON.parse(each.replace(/^>\d+ /, '')) as Json),
    );
  return { statusCode, socket, lines, closed, say, answers };
}

const text = (message: unknown): string => (typeof message === 'string' ? message : JSON.stringify(message));

async function channelServer(options: Parameters<typeof mcpServer>[0] = {}) {
  const served = await mcpServer(options);
  const { answer, session } = await served.open('2025-11-25', asGateway);
  return { ...served, answer, session, channel: await connect(served.base, session) };
}

test('what is said in one write is answered as it is ready, not in its order', async () => {
  const { channel, release } = await channelServer();
  expect(channel.statusCode).toBe(200);
  channel.say(call(1, 'test/wait', { name: 'slow', quiet: true }), call(2, 'test/echo', { a: 'ä\n' }), call(3, 'ping'));
  expect((await channel.answers(2)).map(({ id, result }) => [id, result])).toEqual([
    [2, { a: 'ä\n' }],
    [3, {}],
  ]);
  await release('slow');
  expect((await channel.answers(3))[2]).toEqual({ jsonrpc: '2.0', id: 1, result: { waited: 'slow' } });
});

test('what a request tells and asks meanwhile comes as lines with its id, and its answer goes the same way', async () => {
  const { app, base, open } = await mcpServer();
  const { session } = await open('2025-11-25', {
    capabilities: { experimental: { 'svc/gateway': {} }, roots: {} },
  });
  const channel = await connect(base, session);
  channel.say({
    ...call(1, 'test/progress'),
    params: { _meta: { 'svc/client': { capabilities: { roots: {} } } } },
  });
  const told = await channel.answers(4);
  expect(told.map(({ method, id }) => method ?? id)).toEqual([
    ...Array.from({ length: 3 }, () => 'notifications/progress'),
    1,
  ]);
  expect(channel.lines.map(each => each.slice(0, 4))).toEqual(['>1 {', '>1 {', '>1 {', '{"js']);
  channel.say(call(2, 'test/ask', { _meta: { 'svc/client': { capabilities: { roots: {} } } } }));
  const asked = (await channel.answers(5))[4] as Json;
  expect(asked.method).toBe('roots/list');
  expect(channel.lines[4]).toMatch(/^>2 \{/);
  channel.say({ jsonrpc: '2.0', id: asked.id, result: { roots: [] } });
  expect((await channel.answers(6))[5]).toMatchObject({ id: 2, result: { roots: [] } });
  expect(app.mcp.sessions.size).toBe(1);
});

test('a bad line is refused with the status that HTTP would say, and the next one is heard', async () => {
  const { channel } = await channelServer();
  channel.say('{"jsonrpc":"2.0","id":7,', '', call(8, 'test/echo', {}), '[]', call(9, 'initialize'));
  channel.say('{"jsonrpc":"2.0","id":10,"method":"test/echo","params":{"__proto__":{}}}', call(11, 'no/such'));
  await waitFor(() => channel.lines.length === 7, 'the answers');
  const seen = channel.lines.map(each => [each.slice(0, 3), JSON.parse(each.replace(/^\d{3} /, ''))] as const);
  expect(seen.map(([status, { id, error }]) => [status, id ?? null, error?.code])).toEqual([
    ['400', null, -32700],
    ['400', null, -32700],
    ['{"j', 8, undefined],
    ['400', null, -32600],
    ['400', 9, -32600],
    ['400', 10, -32600],
    ['{"j', 11, -32601],
  ]);
});

test('a message without end is not gathered for ever', async () => {
  const { channel, base } = await channelServer({ max_request_body_bytes: 2048 });
  channel.say(call(1, 'test/echo', { a: 'x'.repeat(1000) }));
  await channel.answers(1);
  for (let sent = 0; sent < 8; sent += 1) channel.socket.write('x'.repeat(1024));
  await channel.closed;
  expect((await fetch(base)).status).toBe(404);
});

test('only a gateway is told of channels, and none is opened but in its session, from here, at that target', async () => {
  const { base, url, open, app } = await mcpServer();
  const plain = await open();
  expect(plain.answer.headers.get('svc-channel')).toBeNull();
  const { answer, session } = await open('2025-11-25', asGateway);
  expect(answer.headers.get('svc-channel')).toBe('2');
  const refused: [Record<string, string>, string?][] = [
    [{}],
    [plain.session],
    [{ 'mcp-session-id': 'x' }],
    [{ ...session, host: 'evil.example' }],
    [{ ...session, origin: 'http://evil.example' }],
    [session, 'example.com:443'],
  ];
  for (const [headers, path] of refused) {
    const { statusCode, closed } = await connect(base, headers, path);
    expect(statusCode).toBe(403);
    await closed;
  }
  expect((await connect(base, session)).statusCode).toBe(200);
  await request(url, 'DELETE', undefined, session);
  expect((await connect(base, session)).statusCode).toBe(403);
  expect(app.mcp.sessions.size).toBe(1);
});

test('the end of a session ends its channel, after the last word', async () => {
  const { channel, url, session, aborted } = await channelServer();
  channel.say(call(1, 'test/wait', { name: 'cut', quiet: true }));
  await waitFor(() => channel.lines.length === 0 && channel.socket.bytesWritten > 0, 'the call');
  channel.say(call(2, 'ping'));
  await channel.answers(1);
  await request(url, 'DELETE', undefined, session);
  await channel.closed;
  expect(aborted).toEqual(['cut']);
  expect(JSON.parse(channel.lines[1] ?? '{}')).toMatchObject({ id: 1, error: { data: { code: 'SVC_RPC_CANCELLED' } } });
});

test('a server that closes answers what is under way, refuses the rest, and ends the channel', async () => {
  const { channel, app, release } = await channelServer();
  channel.say(call(1, 'test/wait', { name: 'last', quiet: true }), call(2, 'ping'));
  await channel.answers(1);
  const closing = app.close();
  await waitFor(async () => {
    channel.say(call(3, 'ping'));
    await new Promise(resolve => setTimeout(resolve, 10));
    return channel.lines.some(each => each.startsWith('503 '));
  }, 'the refusal');
  await release('last');
  await channel.closed;
  await closing;
  expect(channel.lines.filter(each => each.includes('"waited":"last"'))).toHaveLength(1);
});

test('a gateway that does not read is told less on the way, and its answers all the same', async () => {
  const { app, channel } = await channelServer({ sse_client_max_bytes: 65_536 });
  const big = 'x'.repeat(10_000);
  let flooded = false;
  app.kernel.rpc.method('test/flood', async (_, context) => {
    for (let n = 0; n < 5000; n += 1) {
      context.notify('notifications/progress', { progressToken: 't', progress: n, message: big });
      if (n % 50 === 0) await new Promise(resolve => setImmediate(resolve));
    }
    flooded = true;
    return { flooded };
  });
  channel.say(call(1, 'ping'));
  await channel.answers(1);
  channel.socket.pause();
  channel.say(call(2, 'test/flood'));
  await waitFor(() => flooded, 'the end of the flood');
  channel.socket.resume();
  await waitFor(() => channel.lines.at(-1)?.includes('flooded'), 'the answer');
  expect(channel.lines.length).toBeGreaterThan(10);
  expect(channel.lines.length).toBeLessThan(4000);
});
