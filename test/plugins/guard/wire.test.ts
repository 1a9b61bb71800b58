/** What is no HTTP, or two requests in one for somebody who reads it otherwise: refused as a whole, with one answer and one line in the log. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootApp } from '../../../kernel/index.ts';
import { guardPlugin } from '../../../plugins/guard/index.ts';
import { listenerPlugin } from '../../../plugins/listener/index.ts';
import { mcpPlugin } from '../../contracts/rooms.ts';
import { testConfig } from '../../helper.ts';

const token = 'a-token-that-may-call-too';
let port = 0;
let close = async (): Promise<void> => undefined;
let logged = (): string[] => [];

beforeAll(async () => {
  const options = {
    ...{ log_level: 'warn' as const, max_header_bytes: 2048, max_url_length: 500, request_receive_timeout_ms: 400 },
    auth_tokens: [{ token, label: 'caller', scopes: ['call' as const] }],
  };
  const opened = await bootApp(testConfig(options), [listenerPlugin, guardPlugin, mcpPlugin], {});
  ({ close } = opened);
  ({ port } = await opened.app.listener.listen());
  logged = () => opened.app.kernel.logTail(1000);
});
afterAll(() => close());

/** Everything that comes back until the connection is closed. */
const spoken = (text: string): Promise<string> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.setEncoding('latin1').on('data', piece => {
      heard += piece;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(heard));
    socket.write(text, 'latin1');
  });

const own = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`;
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const hidden = `POST /mcp HTTP/1.1\r\n${own}\r\nContent-Length: ${ping.length}\r\n\r\n${ping}`;
const post = (headers: string, body = '') => `POST /mcp HTTP/1.1\r\n${own}\r\n${headers}\r\n\r\n${body}`;

const rows: [what: string, text: string, status: number][] = [
  ['a length and chunks', post('Content-Length: 5\r\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`), 400],
  ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 5', `0\r\n\r\n${hidden}`), 400],
  ['two lengths', post('Content-Length: 0\r\nContent-Length: 40', hidden), 400],
  ['a list of lengths', post('Content-Length: 0, 40', hidden), 400],
  ['a length with a sign', post('Content-Length: +5', hidden), 400],
  ['a length below nothing', post('Content-Length: -1', hidden), 400],
  ['a length in sixteens', post('Content-Length: 0x10', hidden), 400],
  ['chunks that are not last', post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${hidden}`), 400],
  ['chunks by another name', post('Transfer-Encoding: xchunked', hidden), 400],
  ['chunks after a space', post('Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`), 400],
  ['a chunk longer than any number', post('Transfer-Encoding: chunked', `FFFFFFFFFFFFFFFFFF\r\n${hidden}`), 400],
  ['a chunk that ends in a bare LF', post('Transfer-Encoding: chunked', `1\n{\n0\n\n${hidden}`), 400],
  [
    'lines that end in a bare LF',
    `POST /mcp HTTP/1.1\n${own.replaceAll('\r\n', '\n')}\nContent-Length: 0\n\n${hidden}`,
    400,
  ],
  ['a bare CR in a header', post('X-A: b\rContent-Length: 0', hidden), 400],
  ['a folded header', post('X-A: b\r\n Transfer-Encoding: chunked', `0\r\n\r\n${hidden}`), 400],
  ['a NUL in a header', post('X-A: b\0c\r\nContent-Length: 0'), 400],
  ['a header without a name', post(': b\r\nContent-Length: 0'), 400],
  ['no Host', `POST /mcp HTTP/1.1\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`, 400],
  ['two Hosts', post('Host: evil.example\r\nContent-Length: 0\r\nConnection: close'), 400],
  ['a method that is none', `POSTT /mcp HTTP/1.1\r\n${own}\r\n\r\n`, 400],
  ['another version of HTTP', `POST /mcp HTTP/3.7\r\n${own}\r\n\r\n`, 400],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['a head over the size', `GET /mcp HTTP/1.1\r\n${own}\r\nX-A: ${'x'.repeat(4000)}\r\n\r\n`, 431],
  ['a head that does not end', `GET /mcp HTTP/1.1\r\n${own}\r\nX-A: `, 408],
  ['a body that does not end', post('Content-Length: 50', '{"jsonrpc"'), 408],
  ['a chunk that does not end', post('Transfer-Encoding: chunked', '50\r\n{"jsonrpc"'), 408],
  [
    'a request in the body of one that is refused',
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    401,
  ],
  [
    'a request after one that is refused',
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}${hidden}`,
    401,
  ],
];

test.each(rows)('%s', { timeout: 5000 }, async (_what, text, status) => {
  const before = logged().length;
  const heard = await spoken(text);
  const answers = heard.match(/HTTP\/1\.1 \d{3}/g) ?? [];
  expect([...answers], heard).toEqual([`HTTP/1.1 ${status}`]);
  expect(heard).not.toContain(token);
  const lines = logged().slice(before);
  expect(lines.length, lines.join()).toBe(1);
  expect(lines.join()).not.toContain(token);
});

test('two good requests on one connection are two answers: the rows above are refused for what they are', async () => {
  const heard = await spoken(hidden + hidden.replace('Content-Type', 'Connection: close\r\nContent-Type'));
  expect(heard.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 400']);
  expect(heard.match(/initialize/g)?.length).toBe(2);
});

test('an address of another server is no page of this one', async () => {
  expect(await spoken(`GET http://evil.example/health HTTP/1.1\r\n${own}\r\nConnection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 404 /,
  );
});
