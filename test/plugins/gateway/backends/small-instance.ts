/**
 * The least that is an instance, for the contract of drivers: one MCP server over HTTP (`http <port>`, 0 for any) or over
 * its standard streams (`stdio`), with tools that tell what it heard.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

type Message = Record<string, unknown>;

const heard = { initialized: 0, cancelled: 0, pongs: 0 };

/** Answers one message through `done`; `tell` is for what nobody asked for. */
function take(message: Message, done: (answer: Message) => unknown, tell: (message: Message) => void): unknown {
  const { id, method, params } = message as { id?: number; method?: string; params?: Message };
  const result = (value: unknown): unknown => done({ jsonrpc: '2.0', id, result: value });
  if (method === 'notifications/initialized') heard.initialized += 1;
  if (method === 'notifications/cancelled') heard.cancelled += 1;
  if (method === undefined && id !== undefined) heard.pongs += 1;
  if (id === undefined || method === undefined) return undefined;
  if (method === 'initialize') return result({ protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {} });
  const { name, arguments: args = {} } = (params ?? {}) as { name?: string; arguments?: Message };
  if (name === 'echo') return result(args);
  if (name === 'heard') return result({ ...heard, pid: process.pid });
  if (name === 'wait') return setTimeout(() => result({ waited: args.ms }), Number(args.ms));
  if (name === 'large') return result('x'.repeat(Number(args.bytes)));
  if (name === 'tell') tell(args);
  if (name === 'tell' || method === 'ping') return result({});
  return done({ jsonrpc: '2.0', id, error: { code: -32050, message: `no ${name ?? method} here`, data: { why: 1 } } });
}

const text = (message: Message): string => JSON.stringify(message);

function overStdio(): void {
  const send = (message: Message): void => void process.stdout.write(`${text(message)}\n`);
  createInterface({ input: process.stdin }).on('line', line => take(JSON.parse(line), send, send));
}

function overHttp(port: number): void {
  const sessions = new Set<string>();
  const streams = new Set<ServerResponse>();
  const tell = (message: Message): void => {
    for (const stream of streams) stream.write(`data: ${text(message)}\n\n`);
  };
  const server = createServer((request, response) => {
    if (request.url === '/v1/readyz') {
      return response.end(text({ process: true, dcc: true, skill_catalog: true, dispatcher: true }));
    }
    const session = request.headers['mcp-session-id'];
    if (session !== undefined && !sessions.has(String(session))) return response.writeHead(404).end();
    if (request.method === 'DELETE') return response.writeHead(sessions.delete(String(session)) ? 204 : 404).end();
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      streams.add(response);
      return response.on('close', () => streams.delete(response));
    }
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    return request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString()) as Message;
      if (message.method === 'initialize') {
        const made = `s${process.pid}-${sessions.size}`;
        sessions.add(made);
        response.setHeader('mcp-session-id', made);
      }
      if (message.id === undefined || message.method === undefined) response.writeHead(202).end();
      take(message, answer => response.end(text(answer)), tell);
    });
  });
  server.listen(port, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

const [transport, port] = process.argv.slice(2);
if (transport === 'stdio') overStdio();
else overHttp(Number(port));
