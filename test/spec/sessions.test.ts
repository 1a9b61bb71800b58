/** Session lifecycle, endpoints, authentication, versions. */
import { request as httpRequest } from 'node:http';
import { describe, expect } from 'vitest';
import { waitFor } from '../helper.ts';
import { startConnected, startInside, startServer } from './fixture.ts';
import { verifies } from './verifies.ts';
import { connect, initializeRequest, messagesOf, post } from './wire.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('sessions', () => {
  verifies(['session:id-issued', 'auth:session-header', 'mcp:ping'], 'initialize issues the session id', async () => {
    const { client } = await startConnected();
    expect(client.sessionId).toMatch(/^[\x21-\x7e]{8,}$/);
    expect(await client.result('ping')).toEqual({});
  });

  verifies(['session:id-missing', 'session:id-unknown'], 'a missing id is 400, an unknown one 404', async () => {
    const { service } = await startServer();
    expect((await post(service.mcpUrl(), ping)).status).toBe(400);
    expect((await post(service.mcpUrl(), ping, { 'mcp-session-id': 'no-such-session' })).status).toBe(404);
  });

  verifies(['session:delete-ends', 'endpoint:delete'], 'DELETE ends the session', async () => {
    const { client } = await startConnected();
    const stream = await client.stream();
    expect((await client.end()).status).toBeLessThan(300);
    expect((await client.request('ping')).status).toBe(404);
    expect((await client.end()).status).toBe(404);
    stream.close();
  });

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

  verifies(['session:work-protects'], 'a call in flight protects its session', async () => {
    const { client } = await startConnected({ session_ttl_secs: 1 }, server => {
      server.registerTool(
        { name: 'long' },
        () => new Promise(resolve => setTimeout(() => resolve({ ok: true }), 3000)),
      );
    });
    expect(await client.callJson('long')).toEqual({ ok: true });
    expect(await client.result('ping')).toEqual({});
  });

  verifies(['config:session-ttl-zero'], 'session_ttl_secs 0 evicts nothing', async () => {
    const { client } = await startConnected({ session_ttl_secs: 0 });
    await new Promise(resolve => setTimeout(resolve, 1500));
    expect(await client.result('ping')).toEqual({});
  });
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

  verifies(['endpoint:batch', 'version:2025-03-26'], 'a batch is answered in full', async () => {
    const { client } = await startConnected();
    expect(client.initialized.result?.protocolVersion).toBe('2025-03-26');
    const answers = messagesOf(
      await client.send([
        { jsonrpc: '2.0', id: 'a', method: 'ping' },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { jsonrpc: '2.0', id: 'b', method: 'tools/list' },
        { jsonrpc: '2.0', id: 'c', method: 'no/such' },
      ]),
    );
    expect(answers.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
    expect(answers.find(({ id }) => id === 'c')?.error?.code).toBe(-32601);
    const silent = await client.send([{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
    expect(silent).toMatchObject({ status: 202, text: '' });
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

describe('who may ask', () => {
  verifies(['auth:origin'], 'a foreign Origin is 403, a loopback one is served', async () => {
    const { service } = await startServer();
    const asked = (origin: string) => post(service.mcpUrl(), initializeRequest(), { origin });
    expect((await asked('https://evil.example')).status).toBe(403);
    expect((await asked('null')).status).toBe(403);
    expect((await asked(`http://127.0.0.1:${service.port}`)).status).toBe(200);
    expect((await asked('http://localhost:5173')).status).toBe(200);
  });

  verifies(['auth:host-header'], 'a foreign Host is 403', async () => {
    const { service } = await startServer();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const body = JSON.stringify(initializeRequest());
      const headers = {
        host: 'evil.example',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': Buffer.byteLength(body),
      };
      httpRequest({ port: service.port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers }, answer => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end(body);
    });
    expect(status).toBe(403);
  });

  verifies(['auth:cors-off', 'auth:cors-on'], 'CORS headers only with enable_cors', async () => {
    const origin = 'http://localhost:5173';
    const corsOf = async (enable_cors: boolean) => {
      const { service } = await startServer({ enable_cors });
      const answer = await post(service.mcpUrl(), initializeRequest(), { origin });
      const preflight = await fetch(service.mcpUrl(), {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'mcp-session-id',
        },
      });
      return { answer: answer.headers, preflight: preflight.headers };
    };
    const off = await corsOf(false);
    expect([...off.answer.keys(), ...off.preflight.keys()].filter(name => name.startsWith('access-control'))).toEqual(
      [],
    );
    const on = await corsOf(true);
    expect(on.answer.get('access-control-allow-origin')).toMatch(/^(\*|http:\/\/localhost:5173)$/);
    expect(on.answer.get('access-control-expose-headers')?.toLowerCase()).toContain('mcp-session-id');
    expect(on.preflight.get('access-control-allow-headers')?.toLowerCase()).toMatch(/mcp-session-id|\*/);
  });
});

describe('versions', () => {
  verifies(['version:negotiation'], 'a known revision is echoed, an unknown one answered with the newest', async () => {
    const { service } = await startServer();
    for (const protocolVersion of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      const client = await connect(service.mcpUrl(), { protocolVersion });
      expect(client.initialized.result?.protocolVersion).toBe(protocolVersion);
      expect(await client.result('ping')).toEqual({});
    }
    const newer = await connect(service.mcpUrl(), { protocolVersion: '2099-01-01' });
    expect(newer.initialized.result?.protocolVersion).toBe('2025-11-25');
  });
});
