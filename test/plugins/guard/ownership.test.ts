/** What one caller opened is no other's: every door at which an id alone would let somebody in. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ServerOptions } from '../../../plugins/index.ts';
import { channelTarget } from '../../../schemas/channel.ts';
import { digestOf } from '../../../schemas/tokens.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { capabilities, headersOf, modern, sessionlessServer } from '../mcp/sessionless-wire.ts';
import { both, call, initialize, type Json, request } from '../mcp/wire.ts';

const tokens = { mine: 'a-token-of-the-owner', other: 'a-token-of-somebody-else', also: 'another-token-of-the-owner' };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const [mine, other, also] = [bearer(tokens.mine), bearer(tokens.other), bearer(tokens.also)];
const asGateway = { capabilities: { experimental: { 'svc/gateway': {} }, roots: {}, elicitation: {} } };

const everybody = [
  ['owner', tokens.mine],
  ['owner', tokens.also],
  ['other', tokens.other],
] as const;

async function guarded(options: ServerOptions = {}) {
  const file = join(await tempDir(), 'tokens.json');
  const write = (owners: readonly (readonly [string, string])[]) => {
    const entries = owners.map(([label, token]) => ({ label, sha256: digestOf(token), scopes: ['call'] }));
    return writeFile(file, JSON.stringify(entries), { mode: 0o600 });
  };
  await write(everybody);
  const server = await sessionlessServer({ auth_tokens_file: file, log_level: 'warn', ...options });
  const open = async (extra: Json = {}) => {
    const { headers } = await server.post(initialize('2025-11-25', extra), mine);
    return { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  };
  return {
    ...server,
    write,
    open,
    connect: (headers: Record<string, string>, path?: string) => connect(server.base, headers, path),
  };
}

async function connect(base: string, headers: Record<string, string>, path = channelTarget) {
  const { hostname, port } = new URL(base);
  const asked = httpRequest({ hostname, port, method: 'CONNECT', path, headers }).end();
  const [{ statusCode, headers: heard }, socket] = (await once(asked, 'connect')) as [IncomingMessage, Socket];
  socket.on('error', () => undefined);
  let text = '';
  socket.setEncoding('utf8').on('data', piece => {
    text += piece;
  });
  const lines = () => text.split('\n').filter(each => each !== '');
  const say = (message: unknown) => void socket.write(`${JSON.stringify(message)}\n`);
  return { statusCode, heard, socket, lines, say };
}

test("a session of another is 404 at every method, and stays what it is; the owner's other token is the owner", async () => {
  const server = await guarded();
  const session = await server.open();
  const stolen = { ...other, ...session };
  for (const message of [
    call(1, 'ping'),
    call(1, 'test/echo', {}),
    { jsonrpc: '2.0', id: 'svc-1', result: { roots: [] } },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  ]) {
    const { status, json } = await server.post(message, stolen);
    expect([status, (json.error as Json).message]).toEqual([404, expect.stringContaining('unknown')]);
  }
  const listen = { accept: 'text/event-stream', ...stolen };
  expect((await request(server.url, 'GET', undefined, listen)).status).toBe(404);
  expect((await request(server.url, 'GET', undefined, { ...listen, 'last-event-id': '0-0' })).status).toBe(404);
  expect((await request(server.url, 'DELETE', undefined, stolen)).status).toBe(404);
  expect((await server.post(call(2, 'ping'), { ...mine, ...session })).status).toBe(200);
  expect((await server.post(call(2, 'ping'), { ...also, ...session })).status).toBe(200);
  expect((await server.post(call(2, 'ping'), { ...session, 'mcp-protocol-version': '2025-11-25' })).status).toBe(401);
});

test('a channel is opened by whose session it is, with a token that is known, and refused in the log with its reason', async () => {
  const server = await guarded();
  const { open, connect } = server;
  const session = await open(asGateway);
  const refused = async (headers: Record<string, string>, status: number, path?: string) => {
    const before = server.app.kernel.logTail(1000).length;
    const { statusCode, heard, socket } = await connect(headers, path);
    socket.destroy();
    expect(statusCode).toBe(status);
    if (status === 401) expect(heard['www-authenticate']).toBe('Bearer');
    const lines = server.app.kernel.logTail(1000).slice(before);
    expect(
      lines.filter(each => each.includes('"method":"CONNECT"') && each.includes(`"status":${status}`)).length,
    ).toBe(1);
    expect(lines.join()).not.toContain(tokens.other);
  };
  await refused(session, 401);
  await refused({ ...session, ...bearer('a-token-that-nobody-has') }, 401);
  await refused({ ...session, ...other }, 403);
  await refused({ ...session, ...mine, host: 'evil.example' }, 403);
  await refused({ ...session, ...mine }, 403, 'evil.example:443');
  await refused({ ...(await open()), ...mine }, 403);
  const channel = await connect({ ...session, ...mine });
  expect(channel.statusCode).toBe(200);
  channel.socket.destroy();
});

test('what goes over a channel is bounded as requests are', async () => {
  const server = await guarded({ max_requests_per_caller: 3, rate_limit_per_minute: 100 });
  const { open, connect } = server;
  const channel = await connect({ ...(await open(asGateway)), ...mine });
  for (const name of ['a', 'b', 'c', 'd']) channel.say(call(name, 'test/wait', { name, quiet: true }));
  await waitFor(() => channel.lines().length === 1, 'the refusal');
  expect(channel.lines()[0]).toMatch(/^429 .*max_requests_per_caller/);
  expect((await server.post(call(1, 'ping'), { ...mine })).status).toBe(429);
  for (const name of ['a', 'b', 'c']) await server.release(name);
  await waitFor(() => channel.lines().length === 4, 'the answers');
  for (let index = 0; index < 120; index += 1) channel.say(call(index, 'ping'));
  await waitFor(() => channel.lines().some(each => /^429 .*rate_limit_per_minute/.test(each)), 'the pace');
  expect((await server.post(call(1, 'ping'), { ...mine })).status).toBe(429);
  channel.socket.destroy();
});

test('an answer to a question without a session is taken from who was asked', async () => {
  const server = await guarded();
  const message = modern(1, 'tools/call', { name: 'one', arguments: {} }, capabilities({ elicitation: {} }));
  const first = await server.post(message, { ...headersOf(message), ...mine, accept: both });
  const { requestState, inputRequests } = (first.json.result ?? {}) as { requestState: string; inputRequests: Json };
  const [key] = Object.keys(inputRequests);
  const inputResponses = { [String(key)]: { action: 'accept', content: { name: 'Eve' } } };
  const params = { name: 'one', arguments: {}, requestState, inputResponses };
  const next = modern(2, 'tools/call', params, capabilities({ elicitation: {} }));
  const stolen = await server.post(next, { ...headersOf(next), ...other });
  expect((stolen.json.error as Json).message).toMatch(/requestState/);
  const given = await server.post(next, { ...headersOf(next), ...also });
  expect(given.text).toContain('Hello, Eve');
});

test('a stream and a channel end when their token does', async () => {
  const server = await guarded();
  const session = { ...(await server.open(asGateway)), ...mine };
  const channel = await server.connect(session);
  const stream = await fetch(server.url, { headers: { accept: 'text/event-stream', ...session } });
  const ended = stream.text().then(
    () => true,
    () => true,
  );
  const closed = once(channel.socket, 'close');
  expect([channel.statusCode, stream.status]).toEqual([200, 200]);
  await server.write([['owner', tokens.also]]);
  await closed;
  expect(await ended).toBe(true);
});
