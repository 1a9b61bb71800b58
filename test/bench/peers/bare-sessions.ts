/** What a session costs at the very least: bare node:http that answers the requests of a client and holds its stream open. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveCommands } from './command.ts';

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.flushHeaders();
    return;
  }
  let text = '';
  request.on('data', piece => {
    text += piece;
  });
  request.on('end', () => {
    const { id, method } = JSON.parse(text) as { id?: number; method: string };
    const body = id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result: {} });
    response.writeHead(id === undefined ? 202 : 200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(method === 'initialize' && { 'mcp-session-id': randomUUID() }),
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveCommands(`http://127.0.0.1:${port}/mcp`, { resident: () => process.memoryUsage().rss });
});
process.on('SIGTERM', () => process.exit());
