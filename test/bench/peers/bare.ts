/** The least an honest server can do: node:http, JSON.parse, ajv, JSON.stringify; or the same bytes every time. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv } from 'ajv';
import { serveCommands, settings } from './command.ts';
import { echoSchema } from './echo.ts';

const validate = new Ajv({ strict: false, allErrors: true }).compile(echoSchema);

/** The bytes that every request gets, when there are any. */
let canned = typeof settings.bytes === 'string' ? Buffer.from(settings.bytes) : undefined;

interface Call {
  id: number | string;
  method: string;
  params: { name: string; arguments: unknown };
}

const answerCall = (text: string): string => {
  const { id, method, params } = JSON.parse(text) as Call;
  if (method !== 'tools/call' || params.name !== 'echo')
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601 } });
  if (!validate(params.arguments)) return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602 } });
  // The reply that ours gives, member for member.
  const content = [{ type: 'text', text: JSON.stringify(params.arguments) }];
  const result = { content, structuredContent: params.arguments };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
};

const handle = (request: IncomingMessage, response: ServerResponse): void => {
  const chunks: Buffer[] = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', () => {
    const text = (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString('utf8');
    const body = canned ?? Buffer.from(answerCall(text));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
};

const server = createServer(handle).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveCommands(`http://127.0.0.1:${port}/mcp`, {
    bytes: (text: string) => {
      canned = Buffer.from(text);
    },
  });
});
