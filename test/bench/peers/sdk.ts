/** The same echo tool on the official TypeScript SDK: Streamable HTTP with sessions, answers as JSON. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Ajv } from 'ajv';
import { serveCommands } from './command.ts';
import { echoSchema } from './echo.ts';

const validate = new Ajv({ strict: false, allErrors: true }).compile(echoSchema);

function createMcp(): Server {
  const mcp = new Server({ name: 'sdk-peer', version: '1.0.0' }, { capabilities: { tools: {} } });
  mcp.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: 'echo', inputSchema: echoSchema as never }],
  }));
  mcp.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (!validate(params.arguments)) throw new Error('invalid arguments');
    return { content: [{ type: 'text', text: JSON.stringify(params.arguments) }], isError: false };
  });
  return mcp;
}

const transports = new Map<string, StreamableHTTPServerTransport>();

const server = createServer(async (request, response) => {
  const known = transports.get(String(request.headers['mcp-session-id']));
  if (known) return known.handleRequest(request, response);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: id => {
      transports.set(id, transport);
    },
  });
  await createMcp().connect(transport as never);
  return transport.handleRequest(request, response);
}).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveCommands(`http://127.0.0.1:${port}/mcp`);
});
