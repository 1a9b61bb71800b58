/** The gateway's port held by somebody else: named, left alone, and the server runs on without a gateway. */
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir, waitFor } from '../../../helper.ts';
import { testServer } from '../../../server.ts';

/** An alert and an unasked ServerHello: what a TLS port may say to plain HTTP. */
const tls = Buffer.from('15030300020246160303002a0200002603034b8f', 'hex');

/** An MCP server of the official SDK, with nothing beside its endpoint. */
function otherMcpServer(): Server {
  return createHttpServer(async (request, response) => {
    if (request.url !== '/mcp') return void response.writeHead(404).end('Cannot GET');
    const server = new McpServer({ name: 'other', version: '1' });
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined } as never);
    await server.connect(transport as never);
    await transport.handleRequest(request, response);
  });
}

const strangers: readonly [string, () => Server, RegExp][] = [
  ['a silent socket', () => createServer(), /in use by something that does not answer GET \/health/],
  [
    'HTTP of another product',
    () => createHttpServer((_request, response) => void response.end('{"ok":true,"service":"grafana"}')),
    /is not the gateway \(it answers GET \/health with status 200 as "grafana"\)/,
  ],
  [
    'what sounds like TLS',
    () => createServer(socket => void socket.end(tls)),
    /is not the gateway \(it does not speak/,
  ],
  ['another MCP server', otherMcpServer, /is not the gateway \(it answers GET \/health with status 404\)/],
];

test.each(strangers)('%s on the port', async (_who, make, said) => {
  const stranger = make();
  const sockets = new Set<Socket>();
  stranger.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>(resolve => stranger.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    stranger.close();
  });
  const { port } = stranger.address() as { port: number };
  const registry_dir = await tempDir();
  const options = { gateway_port: port, registry_dir, gateway_ensure_timeout_secs: 1, gateway_guardian_interval: 0.2 };
  const server = testServer('ambient', options);
  const reasons: string[] = [];
  await server.bus.subscribe('guardian.changed', ({ attributes }) => void reasons.push(attributes.reason));
  const service = await server.start();
  await waitFor(() => reasons.length > 0, 'the word', 10_000);
  expect(reasons[0]).toMatch(said);
  expect(reasons[0]).toMatch(/choose another gateway_port$/);
  // Nothing was launched, and the server serves.
  expect((await fetch(new URL('/health', service.mcpUrl()))).status).toBe(200);
  expect(stranger.listening).toBe(true);
  expect(service.is_gateway).toBe(false);
});
