import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { guardPlugin } from '../../../plugins/guard/index.ts';
import { createLimits, peerOf } from '../../../plugins/guard/limits.ts';
import { unfinished } from '../../../schemas/body.ts';
import { mcpPlugin } from '../../contracts/rooms.ts';
import { listeningApp, testApp, waitFor } from '../../helper.ts';

/** A connection on which `text` was sent, and what came back. */
function spoken(port: number, text: string) {
  const socket = connect(port, '127.0.0.1');
  const heard = { text: '', closed: false };
  socket.setEncoding('latin1').on('data', piece => {
    heard.text += piece;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    heard.closed = true;
  });
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return heard;
}

const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

test('a body or a head that does not end is cut off with 408, and one that ends is not', async () => {
  const { url } = await listeningApp([mcpPlugin], { request_receive_timeout_ms: 300 });
  const port = Number(new URL(url).port);
  const body = spoken(port, `${head('/mcp', 100)}{"half`);
  const start = spoken(port, 'POST /mcp HTTP/1.1\r\nHost: local');
  await waitFor(() => body.closed && start.closed, 'the cut');
  for (const { text } of [body, start]) expect(text).toContain('HTTP/1.1 408');
  const whole = spoken(port, `${head('/mcp', 2)}{}`);
  await waitFor(() => whole.text.includes('HTTP/1.1 400'), 'an answer');
});

test('bodies that are not whole may hold so much together: who waits longest is cut off with 503, the others go on', async () => {
  const { url } = await listeningApp([mcpPlugin], { max_unfinished_body_bytes: 65536 });
  const port = Number(new URL(url).port);
  const first = spoken(port, head('/mcp', 60_000) + 'x'.repeat(40_000));
  await waitFor(() => unfinished.bytes === 40_000, 'the first');
  const second = spoken(port, head('/mcp', 60_001) + 'x'.repeat(40_000));
  await waitFor(() => first.closed, 'the cut');
  expect(first.text).toMatch(/^HTTP\/1.1 503 .*Retry-After: 1.*"overloaded"/s);
  expect([second.closed, unfinished.bytes]).toEqual([false, 40_000]);
});

test('a head that is too large is 431, an address that is too long 414', async () => {
  const { url } = await listeningApp([mcpPlugin], { max_header_bytes: 2048, max_url_length: 200 });
  expect((await fetch(url, { headers: { 'x-much': 'x'.repeat(4096) } })).status).toBe(431);
  expect((await fetch(`${url}/${'x'.repeat(300)}`)).status).toBe(414);
});

test('beyond loopback nobody listens without authentication, unless it is said in so many words', async () => {
  const open = (options: object) =>
    testApp([guardPlugin], options).then(
      () => 'ready',
      (error: { code?: string }) => error.code,
    );
  for (const host of ['0.0.0.0', '::', '10.0.0.5', 'studio.example']) {
    expect(await open({ host })).toBe('SVC_GUARD_UNAUTHENTICATED_BIND');
  }
  for (const host of ['127.0.0.1', 'localhost', '::1', '127.0.0.2']) expect(await open({ host })).toBe('ready');
  expect(await open({ host: '0.0.0.0', insecure_bind: true })).toBe('ready');
  expect(await open({ host: '0.0.0.0', auth_tokens: [{ label: 'one', token: 'a-token-of-the-tests' }] })).toBe('ready');
});

const asking = (accept = '', forwarded?: string) =>
  ({
    ...{ method: 'GET', socket: { remoteAddress: '10.0.0.9' } },
    headers: { accept, ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
  }) as unknown as IncomingMessage;
const answering = () => new EventEmitter() as unknown as ServerResponse;

test('a rolling minute: what was asked in the one before still counts for its part', () => {
  let now = 1_000_000;
  const limits = createLimits(
    { rate_limit_per_minute: 2, max_requests_per_caller: 0, max_streams_per_caller: 0 },
    () => now,
  );
  const ask = (key = 'a') => limits.enter(limits.account(key), asking(), answering())?.code;
  expect([ask(), ask(), ask(), ask('b')]).toEqual([undefined, undefined, 'SVC_GUARD_RATE_LIMITED', undefined]);
  now += 61_000;
  expect([ask(), ask()]).toEqual([undefined, 'SVC_GUARD_RATE_LIMITED']);
  now += 180_000;
  expect([ask(), ask(), ask()]).toEqual([undefined, undefined, 'SVC_GUARD_RATE_LIMITED']);
});

test('so many requests and so many streams of one caller at once; one that has ended makes room', () => {
  const limits = createLimits({ rate_limit_per_minute: 0, max_requests_per_caller: 1, max_streams_per_caller: 1 });
  const first = answering();
  const ask = (accept: string, response = answering()) =>
    limits.enter(limits.account('a'), asking(accept), response)?.code;
  expect(ask('', first)).toBeUndefined();
  expect([ask(''), ask('text/event-stream'), ask('text/event-stream')]).toEqual([
    ...['SVC_GUARD_TOO_MANY_REQUESTS', undefined, 'SVC_GUARD_TOO_MANY_STREAMS'],
  ]);
  first.emit('close');
  expect(ask('')).toBeUndefined();
});

test('X-Forwarded-For counts from the proxies that are trusted, and from nobody else', () => {
  const chain = '1.1.1.1, 2.2.2.2, 3.3.3.3';
  expect([0, 1, 2, 4].map(depth => peerOf(asking('', chain), depth))).toEqual([
    ...['10.0.0.9', '3.3.3.3', '2.2.2.2', '10.0.0.9'],
  ]);
});

test('too many requests are 429 in plain text, with when to come again', async () => {
  const { url } = await listeningApp([mcpPlugin], { rate_limit_per_minute: 1 });
  await fetch(url);
  const refused = await fetch(url, { headers: { 'x-forwarded-for': '9.9.9.9' } });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('content-type')).toContain('text/plain');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
