/** A server of another make: the official SDK's, with built-ins that refuse in words or with a kind. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** What its `load_skill` says of the skill of that name: words alone, or words with a kind. */
const refusals: Readonly<Record<string, { text: string; kind?: string }>> = {
  'worded-several': { text: 'Several instances of maya are open' },
  'worded-offline': { text: 'The instance behind this bridge is offline' },
  'worded-schema': { text: 'schema-unavailable: the host gives none' },
  'worded-group': { text: 'Tool group "extras" not found' },
  'worded-loaded': { text: 'Skill "rig" is already loaded' },
  'worded-skill': { text: 'Skill "rig" not found' },
  worded: { text: 'The moon is in the wrong phase' },
  'kind-several': { text: 'Which one?', kind: 'ambiguous-instance' },
  'kind-loaded': { text: 'It is there.', kind: 'skill-already-loaded' },
  'kind-group': { text: 'No such group.', kind: 'group-not-found' },
  'kind-skill': { text: 'No such skill.', kind: 'skill-not-found' },
  'kind-discovery': { text: 'No skills here.', kind: 'no-discovery-endpoint' },
};

const empty = { type: 'object' } as const;

function serverOf(): Server {
  const server = new Server({ name: 'foreign', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: ['load_skill', 'unload_skill'].map(name => ({ name, inputSchema: empty })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const refusal = refusals[String(params.arguments?.skill_name)];
    if (!refusal) return { content: [{ type: 'text', text: '{}' }] };
    const { text, kind } = refusal;
    return {
      content: [{ type: 'text', text }],
      isError: true,
      ...(kind !== undefined && { structuredContent: { kind, message: text } }),
    };
  });
  return server;
}

/** Listens; resolves with its MCP address and how to end it. */
export async function startForeign(): Promise<{ mcp_url: string; close(): void }> {
  const http = createServer((request, response) => {
    if (request.url !== '/mcp' || request.method !== 'POST') {
      // It knows no readiness, but its health.
      response.writeHead(request.url === '/health' ? 200 : 404).end('{"ok":true}');
      return;
    }
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    void serverOf()
      .connect(transport as never)
      .then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    mcp_url: `http://127.0.0.1:${port}/mcp`,
    close() {
      http.close();
      http.closeAllConnections();
    },
  };
}
