/** The official SDK 1.x client as a driver. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type CallResult, clientInfo, type Driver, reconnectionOptions } from './driver.ts';

export const sdk1: Driver = {
  name: '@modelcontextprotocol/sdk 1.x',
  async open(url, hooks = {}) {
    const { roots } = hooks;
    const client = new Client(clientInfo, { capabilities: roots ? { roots: { listChanged: true } } : {} });
    if (roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => hooks.onListChanged?.());
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => hooks.onLog?.(params));
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      reconnectionOptions,
      ...(hooks.fetch && { fetch: hooks.fetch }),
    });
    await client.connect(transport as never);
    return {
      serverName: client.getServerVersion()?.name,
      get sessionId() {
        return transport.sessionId;
      },
      async listPage(cursor) {
        const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor });
        return { names: tools.map(({ name }) => name), nextCursor };
      },
      call: async (name, args = {}, { onProgress, signal } = {}) =>
        (await client.callTool({ name, arguments: args }, undefined, {
          ...(onProgress && { onprogress: onProgress }),
          ...(signal && { signal }),
        })) as CallResult,
      ping: () => client.ping(),
      setLevel: level => client.setLoggingLevel(level),
      terminate: () => transport.terminateSession(),
      close: () => client.close(),
    };
  },
};
