import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { healthPlugin } from '../../../plugins/health/index.ts';
import { createGuard } from '../../../plugins/mcp/guard.ts';
import { mcpPlugin } from '../../../plugins/mcp/index.ts';
import { initialize, mcpServer, stream } from './wire.ts';

/** fetch forbids a Host header of one's own. */
function send(url: string, headers: Record<string, string>, method = 'POST') {
  return new Promise<{ status: number; body: string; headers: Record<string, unknown> }>((resolve, reject) => {
    const outgoing = httpRequest(
      url,
      { method, headers: { 'content-type': 'application/json', ...headers } },
      incoming => {
        let body = '';
        incoming.on('data', chunk => {
          body += chunk;
        });
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body, headers: incoming.headers }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(method === 'POST' ? JSON.stringify(initialize('2025-11-25')) : undefined);
  });
}

test('a foreign Host is 403 and so is a foreign Origin alone; loopback names pass on any port [spec:auth:origin spec:auth:host-header]', async () => {
  const { app, url } = await mcpServer();
  for (const host of [
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.168.1.5',
  ]) {
    const answer = await send(url, { host });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({
      jsonrpc: '2.0',
      error: { data: { code: 'SVC_MCP_HOST_FORBIDDEN' } },
    });
  }
  for (const origin of [
    'https://evil.example',
    'null',
    'http://localhost.evil.example',
    'file://localhost',
    'localhost',
  ]) {
    const answer = await send(url, { origin });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { data: { code: 'SVC_MCP_ORIGIN_FORBIDDEN' } } });
  }
  expect(app.mcp.sessions.size).toBe(0);
  for (const name of ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]', 'localhost:9999', '[::1]:80']) {
    expect((await send(url, { host: name, origin: `http://${name}` })).status).toBe(200);
  }
});

test('allowed_hosts and allowed_origins widen the guard', async () => {
  const { url } = await mcpServer({ allowed_hosts: ['studio.example'], allowed_origins: ['https://app.example'] });
  expect((await send(url, { host: 'studio.example:8080' })).status).toBe(200);
  expect((await send(url, { host: 'other.example' })).status).toBe(403);
  expect((await send(url, { origin: 'https://app.example' })).status).toBe(200);
  expect((await send(url, { origin: 'http://app.example' })).status).toBe(403);
  const any = await mcpServer({ allowed_origins: ['*'] });
  expect((await send(any.url, { origin: 'https://evil.example' })).status).toBe(200);
});

test('beyond loopback Host is checked only when allowed_hosts names any; an Origin must be the same or allowed', () => {
  const open = createGuard({ host: '0.0.0.0', allowed_hosts: [], allowed_origins: ['https://app.example'] });
  expect(open('studio.example:80', undefined)).toBeUndefined();
  expect(open('studio.example:80', 'http://studio.example:80')).toBeUndefined();
  expect(open('studio.example:80', 'https://app.example')).toBeUndefined();
  expect(open('studio.example:80', 'http://evil.example')?.code).toBe('SVC_MCP_ORIGIN_FORBIDDEN');
  expect(open('studio.example:80', 'http://localhost')?.code).toBe('SVC_MCP_ORIGIN_FORBIDDEN');
  const strict = createGuard({ host: '0.0.0.0', allowed_hosts: ['studio.example'], allowed_origins: [] });
  expect(strict('studio.example:80', undefined)).toBeUndefined();
  expect(strict('other.example', undefined)?.code).toBe('SVC_MCP_HOST_FORBIDDEN');
  expect(createGuard({ host: '::1', allowed_hosts: [], allowed_origins: [] })(undefined, undefined)).toBeDefined();
});

test('the guard protects every other route too', async () => {
  const { base } = await mcpServer({}, [healthPlugin, mcpPlugin]);
  const answer = await send(`${base}/health`, { host: 'evil.example' }, 'GET');
  expect(answer.status).toBe(403);
  expect(JSON.parse(answer.body)).toMatchObject({ kind: 'mcp-host-forbidden' });
  expect((await send(`${base}/health`, { origin: 'https://evil.example' }, 'GET')).status).toBe(403);
  expect((await send(`${base}/nothing`, { host: 'evil.example' }, 'GET')).status).toBe(403);
  expect((await send(`${base}/health`, {}, 'GET')).status).toBe(200);
});

test('CORS headers are sent only when enable_cors is true (specification: Authentication 3) [spec:auth:cors-off spec:auth:cors-on]', async () => {
  const origin = 'http://localhost:3000';
  const off = await mcpServer();
  for (const method of ['POST', 'OPTIONS']) {
    const plain = await send(off.url, { origin, 'access-control-request-method': 'POST' }, method);
    expect(Object.keys(plain.headers).filter(each => each.startsWith('access-control'))).toEqual([]);
  }

  const on = await mcpServer({ enable_cors: true });
  const answer = await send(on.url, { origin });
  expect(answer.status).toBe(200);
  expect(answer.headers['access-control-allow-origin']).toBe(origin);
  expect(answer.headers['access-control-expose-headers']).toContain('Mcp-Session-Id');
  const session = String(answer.headers['mcp-session-id']);
  const events = await stream(on.url, { origin, 'mcp-session-id': session });
  expect(events.response.headers.get('access-control-allow-origin')).toBe(origin);
  const preflight = await send(
    on.url,
    {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'mcp-session-id, mcp-param-region',
    },
    'OPTIONS',
  );
  expect(preflight.status).toBe(204);
  const allowed = String(preflight.headers['access-control-allow-headers']).toLowerCase();
  expect(allowed).toContain('mcp-session-id');
  expect(allowed).toContain('mcp-param-region');
  expect(preflight.headers['access-control-allow-methods']).toContain('DELETE');
  expect((await send(on.url, { origin: 'https://evil.example' }, 'OPTIONS')).status).toBe(403);
});
