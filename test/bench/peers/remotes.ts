/**
 * Instances of other machines as a gateway sees them: each has an address of its own, registers over HTTP and sends
 * heartbeats. They answer probes and a session of MCP, and offer one tool.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, fetch } from 'undici';
import { serveCommands } from './command.ts';

const ready = JSON.stringify(
  Object.fromEntries(
    ['process', 'dcc', 'skill_catalog', 'dispatcher', 'host_execution_bridge', 'main_thread_executor'].map(bit => [
      bit,
      true,
    ]),
  ),
);
const tools = [{ name: 'echo', description: 'Says the same.', inputSchema: { type: 'object' } }];
const results: Record<string, (params: Record<string, unknown>) => unknown> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'remote', version: '1' },
  }),
  'tools/list': () => ({ tools }),
};

async function bodyOf(request: IncomingMessage): Promise<{ id?: unknown; method: string; params?: object }> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

const server = createServer(async (request, response) => {
  const json = (status: number, text: string): void =>
    void response.writeHead(status, { 'content-type': 'application/json', 'mcp-session-id': 'one' }).end(text);
  if (request.url === '/v1/readyz') return json(200, ready);
  if (request.method !== 'POST') return json(405, '{}');
  const { id, method, params } = await bodyOf(request);
  if (id === undefined) return json(202, '');
  const result = results[method]?.((params ?? {}) as Record<string, unknown>);
  const answer = result ? { result } : { error: { code: -32601, message: 'no such method' } };
  return json(200, JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
// As our servers do: a connection outlives the time between two probes.
server.keepAliveTimeout = 72_000;
await new Promise<void>(resolve => server.listen(0, '0.0.0.0', resolve));
const { port } = server.address() as AddressInfo;
const dispatcher = new Agent({ connections: 16 });
let beats = 0;
/** Of a heartbeat that was not taken. */
let trouble: unknown;

serveCommands(`http://127.0.0.1:${port}`, {
  beats() {
    if (trouble !== undefined) throw trouble;
    return beats;
  },
  /** Registers `count` instances, each at another of this machine's loopback addresses, and keeps them alive. */
  async start({ gateway, count }: { gateway: string; count: number }) {
    const post = async (operation: string, body: object) => {
      const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const answer = await fetch(`${gateway}/v1/instances/${operation}`, { ...sent, dispatcher });
      if (!answer.ok) throw new Error(`${operation} is answered with ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as { heartbeat_interval_secs: number };
    };
    for (let index = 0; index < count; index += 1) {
      const instance_id = randomUUID();
      const mcp_url = `http://127.9.${index >> 8}.${index & 255}:${port}/mcp`;
      const { heartbeat_interval_secs } = await post('register', {
        instance_id,
        dcc_type: 'maya',
        mcp_url,
        ttl_secs: 30,
      });
      const beat = async (): Promise<void> => {
        try {
          await post('heartbeat', { instance_id });
          beats += 1;
        } catch (error) {
          // At the end the gateway stops first.
          trouble ??= error;
        }
      };
      // Spread over the interval, as those of so many machines are.
      setTimeout(
        () => setInterval(beat, heartbeat_interval_secs * 1000),
        Math.random() * heartbeat_interval_secs * 1000,
      );
    }
  },
});
process.on('SIGTERM', () => process.exit());
