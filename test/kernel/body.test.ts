/** Bodies as they come over real sockets: whole, in pieces, too large, broken off. */
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readBody } from '../../schemas/body.ts';
import { waitFor } from './support.ts';

async function reader(maxBytes: number) {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    const body = (bytes: Buffer, owner: string): void => {
      heard.push(`${owner} ${bytes.length} ${bytes.subarray(0, 5)}`);
      response.end();
    };
    const tooLarge = (owner: string): void => {
      heard.push(`${owner} too large`);
      response.writeHead(413).end();
    };
    readBody(request, maxBytes, { body, tooLarge }, String(request.url));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Sends pieces one after the other, chunked; the status of the answer. */
const send = (url: string, pieces: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: 'POST' }, answer => resolve(answer.resume().statusCode ?? 0));
    sent.on('error', reject);
    for (const piece of pieces) sent.write(piece);
    sent.end();
  });

test('a body is handed over once, whole, with its owner', async () => {
  const { heard, url } = await reader(100);
  for (const body of ['hello', '']) await fetch(`${url}/whole`, { method: 'POST', body });
  await send(`${url}/pieces`, ['hel', 'lo ', 'you']);
  expect(heard).toEqual(['/whole 5 hello', '/whole 0 ', '/pieces 9 hello']);
});

test('a body beyond the limit is refused once, declared or not, and its sender reads the answer', async () => {
  const { heard, url } = await reader(10);
  const declared = await fetch(`${url}/declared`, { method: 'POST', body: 'x'.repeat(1_000_000) });
  expect(declared.status).toBe(413);
  expect(await send(`${url}/pieces`, ['12345678', '90123', 'more'])).toBe(413);
  expect(heard).toEqual(['/declared too large', '/pieces too large']);
});

test('a client that goes away in the middle is heard of no more', async () => {
  const { heard, url } = await reader(100);
  const sent = httpRequest(`${url}/half`, { method: 'POST', headers: { 'content-length': 50 } });
  sent.on('error', () => undefined);
  sent.write('half');
  await new Promise(resolve => setTimeout(resolve, 50));
  sent.destroy();
  await fetch(`${url}/next`, { method: 'POST', body: 'x' });
  await waitFor(() => heard.length > 0, 'the next one');
  expect(heard).toEqual(['/next 1 x']);
});
