/**
 * A proxy that makes the newest client speak an older revision: the suite offers 2025-11-25 in every handshake, and here
 * its `initialize` asks for the revision under test instead. Everything else passes as it is, in both directions.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OlderWire {
  url: string;
  close(): Promise<void>;
}

interface Message {
  method?: string;
  params?: { protocolVersion?: string };
}

/** Serves `target` on a free port as if every client knew nothing newer than `revision`. */
export async function olderWire(target: string, revision: string): Promise<OlderWire> {
  const server = createServer((incoming, answer) => {
    void bodyOf(incoming).then(body => pass(target, incoming, asOf(body, revision), revision, answer));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${new URL(target).pathname}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The body, asking for `revision` when it is a handshake. */
function asOf(body: Buffer, revision: string): Buffer {
  if (!body.includes('"initialize"')) return body;
  const message = JSON.parse(body.toString()) as Message;
  if (message.method !== 'initialize' || message.params === undefined) return body;
  message.params.protocolVersion = revision;
  return Buffer.from(JSON.stringify(message));
}

function pass(target: string, incoming: IncomingMessage, body: Buffer, revision: string, answer: ServerResponse): void {
  const { 'mcp-protocol-version': named, ...others } = incoming.headers;
  // A scenario that speaks without a client names the newest revision by itself.
  const version = named === undefined ? {} : { 'mcp-protocol-version': revision };
  const headers = { ...others, ...version, 'content-length': String(body.length) };
  const outgoing = request(target, { method: incoming.method ?? 'GET', headers }, reply => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    answer.flushHeaders();
    reply.pipe(answer);
  });
  outgoing.on('error', () => answer.destroy());
  answer.on('close', () => outgoing.destroy());
  outgoing.end(body);
}
