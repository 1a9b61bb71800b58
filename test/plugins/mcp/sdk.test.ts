import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as ClassicClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as ClassicTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RpcContext } from '../../../kernel/index.ts';
import { waitFor } from '../../helper.ts';
import { mcpServer } from './wire.ts';

/** What the tests use of a client, whichever SDK it comes from. */
interface SdkClient {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  ping(): Promise<unknown>;
  setLoggingLevel(level: string): Promise<unknown>;
  getServerVersion(): { name: string } | undefined;
  callTool(params: Record<string, unknown>, ...options: unknown[]): Promise<{ content: { text: string }[] }>;
}
interface SdkTransport {
  terminateSession(): Promise<void>;
  sessionId?: string;
  protocolVersion?: string;
}
interface Sdk {
  connect(url: string): Promise<{ client: SdkClient; transport: SdkTransport }>;
  /** Options of callTool stand behind the result schema in 1.x. */
  options(options: Record<string, unknown>): unknown[];
}

const identity = { name: 'oracle', version: '1' };
const reconnection = {
  initialReconnectionDelay: 20,
  maxReconnectionDelay: 100,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 20,
};

const sdks: Record<string, Sdk> = {
  'SDK 1.x': {
    async connect(url) {
      const transport = new ClassicTransport(new URL(url), { reconnectionOptions: reconnection });
      const client = new ClassicClient(identity) as unknown as SdkClient;
      await client.connect(transport);
      return { client, transport: transport as unknown as SdkTransport };
    },
    options: options => [undefined, options],
  },
  'SDK 2.x': {
    async connect(url) {
      const transport = new ModernTransport(new URL(url), { reconnectionOptions: reconnection });
      const client = new ModernClient(identity) as unknown as SdkClient;
      await client.connect(transport);
      return { client, transport: transport as unknown as SdkTransport };
    },
    options: options => [options],
  },
};

/** A server whose tools/call reports progress before and after a gate. */
async function toolServer() {
  const server = await mcpServer();
  const gate: { open?: () => void; aborted?: boolean } = {};
  server.app.kernel.rpc.method('tools/call', async (params, context: RpcContext) => {
    const token = (params._meta as { progressToken?: string } | undefined)?.progressToken;
    const progress = (value: number) =>
      token !== undefined && context.notify('notifications/progress', { progressToken: token, progress: value });
    progress(1);
    await new Promise<void>(resolve => {
      gate.open = resolve;
      context.signal.addEventListener('abort', () => {
        gate.aborted = true;
        resolve();
      });
    });
    progress(2);
    return { content: [{ type: 'text', text: 'made it' }] };
  });
  return { ...server, gate };
}

describe.each(Object.entries(sdks))('%s', (_name, sdk) => {
  test('connects, pings, sets the level and ends its session', async () => {
    const { app, url } = await mcpServer();
    const { client, transport } = await sdk.connect(url);
    onTestFinished(() => client.close());
    expect(client.getServerVersion()).toMatchObject({ name: 'svc' });
    expect(transport.protocolVersion).toBe('2025-11-25');
    await client.ping();
    await client.setLoggingLevel('error');
    expect(app.mcp.sessions.list().map(each => each.id)).toEqual([transport.sessionId]);
    await transport.terminateSession();
    expect(app.mcp.sessions.size).toBe(0);
  });

  test('receives progress before the result', async () => {
    const { url, gate } = await toolServer();
    const { client } = await sdk.connect(url);
    onTestFinished(() => client.close());
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => seen.push(progress);
    const running = client.callTool({ name: 'slow' }, ...sdk.options({ onprogress }));
    await waitFor(() => (seen.length === 1 ? gate.open : undefined), 'the first progress').then(open => open());
    expect((await running).content[0]?.text).toBe('made it');
    expect(seen).toEqual([1, 2]);
  });

  test('resumes a call whose connection broke', async () => {
    const { app, url, gate } = await toolServer();
    const { client } = await sdk.connect(url);
    onTestFinished(() => client.close());
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => seen.push(progress);
    const running = client.callTool({ name: 'slow' }, ...sdk.options({ onprogress }));
    const open = await waitFor(() => (seen.length === 1 ? gate.open : undefined), 'the first progress');
    app.server.closeAllConnections();
    open();
    expect((await running).content[0]?.text).toBe('made it');
    expect(seen).toEqual([1, 2]);
    expect(gate.aborted).toBeUndefined();
  });

  test('cancels a running call', async () => {
    const { app, url, gate } = await toolServer();
    const { client } = await sdk.connect(url);
    onTestFinished(() => client.close());
    const controller = new AbortController();
    const running = client.callTool({ name: 'slow' }, ...sdk.options({ signal: controller.signal, onprogress() {} }));
    const failed = running.catch((error: Error) => error);
    await waitFor(() => gate.open, 'the call');
    controller.abort('changed my mind');
    expect(await failed).toBeInstanceOf(Error);
    await waitFor(() => gate.aborted, 'the abort');
    await client.ping();
    expect(app.mcp.sessions.size).toBe(1);
  });
});
