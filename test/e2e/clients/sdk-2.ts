/** The official SDK 2.x client as a driver. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type CallResult, clientInfo, type Driver, reconnectionOptions } from './driver.ts';

export const sdk2: Driver = {
  name: '@modelcontextprotocol/client 2.x',
  async open(url, hooks = {}) {
    const { roots } = hooks;
    const client = new Client(clientInfo, { capabilities: roots ? { roots: { listChanged: true } } : {} });
    if (roots) client.setRequestHandler('roots/list', () => ({ roots }));
    client.setNotificationHandler('notifications/tools/list_changed', () => hooks.onListChanged?.());
    client.setNotificationHandler('notifications/message', ({ params }) => hooks.onLog?.(params));
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      reconnectionOptions,
      ...(hooks.fetch && { fetch: hooks.fetch }),
    });
    await client.connect(transport);
    return {
      serverName: client.getServerVersion()?.name,
      get sessionId() {
        return transport.sessionId;
      },
      // Without a cursor this client walks every page by itself, so the first page is asked for as a plain request.
      async listPage(cursor) {
        const params = cursor === undefined ? {} : { cursor };
        const { tools, nextCursor } = await client.request({ method: 'tools/list', params });
        return { names: tools.map(({ name }) => name), nextCursor };
      },
      call: async (name, args = {}, { onProgress, signal } = {}) =>
        (await client.callTool(
          { name, arguments: args },
          { ...(onProgress && { onprogress: onProgress }), ...(signal && { signal }) },
        )) as CallResult,
      ping: () => client.ping(),
      setLevel: level => client.setLoggingLevel(level),
      terminate: () => transport.terminateSession(),
      close: () => client.close(),
    };
  },
};
