import { request as httpRequest } from 'node:http';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { createNameCheck } from '../../../plugins/guard/names.ts';
import { healthPlugin } from '../../../plugins/health/index.ts';
import { mcpPlugin } from '../../../plugins/mcp/index.ts';
import { initialize, mcpServer, stream } from '../mcp/wire.ts';

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
      error: { data: { code: 'SVC_GUARD_HOST_FORBIDDEN' } },
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
    expect(JSON.parse(answer.body)).toMatchObject({ error: { data: { code: 'SVC_GUARD_ORIGIN_FORBIDDEN' } } });
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

test('beyond loopback an address in figures and the own name pass, for nobody can make them mean another; an Origin must be the same or allowed', () => {
  const open = createNameCheck({ hosts: ['0.0.0.0'], allowed_hosts: [], allowed_origins: ['https://app.example'] });
  for (const host of ['10.0.0.5:80', '10.0.0.5', '[fd00::5]:80', 'localhost', hostname(), `${hostname()}.local:80`]) {
    expect(open(host, undefined)).toBeUndefined();
    expect(open(host, `http://${host}`)).toBeUndefined();
  }
  for (const host of ['evil.example', '10.0.0.5.evil.example', '[evil]', '', undefined]) {
    expect(open(host, undefined)?.code).toBe('SVC_GUARD_HOST_FORBIDDEN');
  }
  expect(open('10.0.0.5', 'https://app.example')).toBeUndefined();
  expect(open('10.0.0.5', 'http://evil.example')?.code).toBe('SVC_GUARD_ORIGIN_FORBIDDEN');
  expect(open('10.0.0.5', 'http://localhost')?.code).toBe('SVC_GUARD_ORIGIN_FORBIDDEN');
  const named = createNameCheck({ hosts: ['0.0.0.0'], allowed_hosts: ['studio.example'], allowed_origins: [] });
  expect(named('studio.example:80', 'http://studio.example:80')).toBeUndefined();
  expect(named('other.example', undefined)?.code).toBe('SVC_GUARD_HOST_FORBIDDEN');
  const any = createNameCheck({ hosts: ['0.0.0.0'], allowed_hosts: ['*'], allowed_origins: [] });
  expect(any('evil.example', undefined)).toBeUndefined();
  expect(
    createNameCheck({ hosts: ['::1'], allowed_hosts: [], allowed_origins: [] })(undefined, undefined),
  ).toBeDefined();
});

test('the guard protects every other route too', async () => {
  const { base } = await mcpServer({}, [healthPlugin, mcpPlugin]);
  const answer = await send(`${base}/health`, { host: 'evil.example' }, 'GET');
  expect(answer.status).toBe(403);
  expect(JSON.parse(answer.body)).toMatchObject({
    kind: 'guard-host-forbidden',
    success: false,
    error: { kind: 'guard-host-forbidden' },
  });
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
