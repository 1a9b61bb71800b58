/**
 * Servers of another make in a process of their own: the official SDK's, one at each path. It knows neither readiness nor
 * health, and forgets its sessions when it is started anew.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';

type Refusal = (response: ServerResponse, id: unknown) => void;

const jsonRpc =
  (status: number, code: number, withId = false): Refusal =>
  (response, id) => {
    const error = { code, message: 'Bad Request: No valid session ID provided' };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', error, id: withId ? id : null }));
  };

/** By path, how a session that it does not know is refused; those without are stateless. */
const refusals: Readonly<Record<string, Refusal | undefined>> = {
  '404': jsonRpc(404, -32001),
  '400': jsonRpc(400, -32000),
  '401': (response: ServerResponse) => void response.writeHead(401).end('Unauthorized'),
  '500': (response: ServerResponse) => void response.writeHead(500).end('TypeError: session is undefined'),
  '200': jsonRpc(200, 4711, true),
  chatty: jsonRpc(400, -32000),
  json: jsonRpc(404, -32001),
  stateless: undefined,
};

const sessions = new Map<string, StreamableHTTPServerTransport>();

async function open(kind: string): Promise<StreamableHTTPServerTransport> {
  const server = new McpServer({ name: kind, version: '1' });
  server.registerTool(`greet_${kind}`, { description: `Greets from ${kind}.` }, () => ({
    content: [{ type: 'text', text: `${kind} ${process.pid}` }],
  }));
  const stateful = refusals[kind] !== undefined;
  const transport = new StreamableHTTPServerTransport({
    ...(stateful && {
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id: string) => void sessions.set(id, transport),
    }),
    enableJsonResponse: kind === 'json',
  } as ConstructorParameters<typeof StreamableHTTPServerTransport>[0]);
  await server.connect(transport as never);
  return transport;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, kind = '', last] = request.url?.split('/') ?? [];
  if (request.method === 'GET' && kind === 'chatty') return void response.end('It works!');
  // As a router answers what it does not have.
  if (last !== 'mcp' || !Object.hasOwn(refusals, kind) || (kind === '400' && request.method === 'GET')) {
    return void response.writeHead(404).end(`Cannot ${request.method} ${request.url}`);
  }
  let text = '';
  for await (const chunk of request) text += chunk;
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const known = sessions.get(String(request.headers['mcp-session-id']));
  const refusal = refusals[kind];
  if (known) return known.handleRequest(request, response, body);
  if (refusal && !isInitializeRequest(body)) return refusal(response, (body as { id?: unknown } | undefined)?.id);
  return (await open(kind)).handleRequest(request, response, body);
}

const http = createServer((request, response) => void answer(request, response));
http.listen(Number(process.argv[2]), '127.0.0.1', () => {
  process.send?.({ port: (http.address() as AddressInfo).port, kinds: Object.keys(refusals) });
});
