import { describe, expect } from 'vitest';
import { waitFor } from '../helper.ts';
import { startConnected, startInside, startServer } from './fixture.ts';
import { verifies } from './verifies.ts';
import { messagesOf } from './wire.ts';

describe('sessions', () => {
  verifies(
    ['session:idle-evicted', 'session:evicted-cache'],
    'an idle session is evicted with all it held',
    async () => {
      const { app, connect: open } = await startInside({ session_ttl_secs: 1 });
      const client = await open();
      await client.tools();
      const scope = app.mcp.sessions.get(client.sessionId)?.scope;
      expect(scope?.disposed).toBe(false);
      await waitFor(() => app.mcp.sessions.size === 0, 'the eviction', 10_000);
      expect(scope?.disposed).toBe(true);
      expect(scope?.list()).toEqual([]);
      expect((await client.request('ping')).status).toBe(404);
    },
  );
});

describe('the endpoint', () => {
  verifies(['endpoint:post'], 'POST answers under the id of the request, whatever its type', async () => {
    const { client } = await startConnected();
    for (const id of [1, 'one', 0, 'a"b']) {
      const [answer] = messagesOf(await client.send({ jsonrpc: '2.0', id, method: 'ping' }));
      expect(answer).toEqual({ jsonrpc: '2.0', id, result: {} });
    }
  });

  verifies(['endpoint:health'], 'GET /health answers without a session', async () => {
    const { service } = await startServer();
    const answer = await fetch(`http://127.0.0.1:${service.port}/health`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ ok: true });
  });

  verifies(['endpoint:notification'], 'a notification is accepted with 202 and no body', async () => {
    const { client } = await startConnected();
    const answer = await client.notify('notifications/initialized');
    expect(answer).toMatchObject({ status: 202, text: '' });
  });

  verifies(['endpoint:get'], 'GET opens an event stream, and only for who accepts one', async () => {
    const { client, service } = await startConnected();
    const stream = await client.stream();
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toMatch(/text\/event-stream/);
    stream.close();
    const refused = await fetch(service.mcpUrl(), {
      headers: { accept: 'application/json', 'mcp-session-id': client.sessionId },
    });
    expect(refused.status).toBe(406);
  });

  verifies(['endpoint:resume'], 'a stream resumes after the last event that the client saw', async () => {
    const { client, server } = await startConnected();
    const first = await client.stream();
    server.registerTool({ name: 'one' }, () => ({}));
    await first.next(({ method }) => method === 'notifications/tools/list_changed');
    await waitFor(() => first.ids.length > 0, 'an event id');
    first.close();
    const seen = first.ids.at(-1) as string;
    server.registerTool({ name: 'two' }, () => ({}));
    const second = await client.stream(seen);
    await second.next(({ method }) => method === 'notifications/tools/list_changed');
    await waitFor(() => second.ids.length > 0, 'an event id');
    expect(second.ids).not.toContain(seen);
    second.close();
  });
});
