/** A gateway before which callers authenticate, and everything that is tried against it. */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { bootApp } from '../../../kernel/index.ts';
import { gatewayPlugins } from '../../../plugins/index.ts';
import { testConfig } from '../../helper.ts';
import { audience, farmId, type Hostile, hostileRequests, tokens } from './hostile-table.ts';
import { startIssuer } from './issuer.ts';

let close = async (): Promise<void> => undefined;
let port = 0;
let folder = '';
let instance: Server;
let rows: Hostile[] = [];
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let logged = (): string[] => [];

interface Heard {
  status: number;
  text: string;
  headers: Record<string, unknown>;
}

function send({
  method = 'POST',
  path,
  headers = {},
  body = {},
}: Omit<Hostile, 'what' | 'status' | 'kind'>): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const given = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers: given, agent: false }, answer => {
      let text = '';
      answer.setEncoding('utf8').on('data', piece => {
        text += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? JSON.stringify(body) : undefined);
  });
}

beforeAll(async () => {
  issuer = await startIssuer();
  folder = await mkdtemp(join(tmpdir(), 'svc-'));
  const options = {
    ...{
      registry_dir: join(folder, 'registry'),
      cache_dir: join(folder, 'cache'),
      log_level: 'warn' as const,
      max_url_length: 2000,
    },
    ...{ oauth_issuer: issuer.issuer, oauth_audience: audience },
    auth_tokens: [
      { token: tokens.reader, label: 'reader', scopes: ['read' as const] },
      { token: tokens.caller, label: 'caller', scopes: ['call' as const] },
      { token: tokens.farm, label: 'farm', allowed_dcc: ['houdini'] },
      { token: tokens.rival, label: 'rival', allowed_dcc: ['houdini'] },
      { token: 'a-token-of-the-maya-artists', label: 'artists', allowed_dcc: ['maya'] },
    ],
  };
  const plugins = await Promise.all(gatewayPlugins.map(each => each.load()));
  const opened = await bootApp(testConfig(options), plugins, {});
  ({ close } = opened);
  ({ port } = await opened.app.listener.listen());
  logged = () => opened.app.kernel.logTail(1000);
  const registered = await send({
    ...{ path: '/v1/instances/register', headers: { authorization: 'Bearer a-token-of-the-maya-artists' } },
    body: { instance_id: 'aaaa1111-0000-4000-8000-000000000002', dcc_type: 'maya', mcp_url: 'http://10.0.0.6:1/mcp' },
  });
  expect(registered.status).toBe(200);
  instance = createServer((request, response) => {
    const given = request.headers['mcp-session-id'] === undefined ? { 'mcp-session-id': 'of-the-instance' } : {};
    response.writeHead(200, { 'content-type': 'application/json', ...given });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }));
  }).listen(0, '127.0.0.1');
  await once(instance, 'listening');
  const mcp_url = `http://127.0.0.1:${(instance.address() as AddressInfo).port}/mcp`;
  const farm = { path: '/v1/instances/register', headers: { authorization: `Bearer ${tokens.farm}` } };
  expect((await send({ ...farm, body: { instance_id: farmId, dcc_type: 'houdini', mcp_url } })).status).toBe(200);
  rows = await hostileRequests(port, issuer);
}, 60_000);

afterAll(async () => {
  instance.close();
  await close();
  issuer.close();
  await rm(folder, { recursive: true, force: true });
});

test('sixty hostile requests and more: each has its status, and one line in the log that gives nothing away', {
  timeout: 60_000,
}, async () => {
  expect(rows.length).toBeGreaterThanOrEqual(60);
  for (const row of rows) {
    const before = logged().length;
    const { status, text, headers } = await send(row);
    expect([row.what, status], text).toEqual([row.what, row.status]);
    const said = JSON.parse(text) as { kind?: string; error?: { kind?: string } };
    if (row.kind !== '') expect([row.what, said.kind ?? said.error?.kind]).toEqual([row.what, row.kind]);
    if (status === 401) expect(String(headers['www-authenticate']), row.what).toMatch(/^Bearer /);
    const lines = logged()
      .slice(before)
      .filter(line => line.includes('refused'));
    expect([row.what, lines.length]).toEqual([row.what, 1]);
    const secrets = [...Object.values(tokens), row.headers?.authorization?.split(' ')[1] ?? ''].filter(
      each => each.length > 10,
    );
    for (const secret of secrets) expect(lines.join() + text, row.what).not.toContain(secret);
  }
});

test('what each caller may do is done', async () => {
  const may = async (token: string, row: Partial<Hostile>) =>
    (await send({ path: '/v1/search', ...row, headers: { authorization: `Bearer ${token}` } })).status;
  const ping = {
    path: '/mcp',
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    },
  };
  for (const token of [tokens.reader, tokens.caller, await issuer.sign(audience)]) {
    expect([await may(token, {}), await may(token, ping)]).toEqual([200, 200]);
  }
  expect((await send({ method: 'GET', path: '/health' })).status).toBe(200);
  const own = {
    instance_id: 'aaaa1111-0000-4000-8000-000000000003',
    dcc_type: 'Houdini',
    mcp_url: 'http://10.0.0.7:1/mcp',
  };
  expect(await may(tokens.farm, { path: '/v1/instances/register', body: own })).toBe(200);
});

test('a protected resource says who gives tokens for it, and a refusal says where it says so', async () => {
  const document = {
    resource: audience,
    authorization_servers: [issuer.issuer],
    scopes_supported: ['read', 'call', 'register', 'admin'],
  };
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    const { status, text } = await send({ method: 'GET', path });
    expect([status, JSON.parse(text)]).toEqual([200, { ...document, bearer_methods_supported: ['header'] }]);
  }
  const where = 'resource_metadata="https://studio.example/.well-known/oauth-protected-resource/mcp"';
  const none = await send({ path: '/mcp' });
  expect(none.headers['www-authenticate']).toBe(`Bearer ${where}, scope="read call"`);
  const wrong = await send({ path: '/mcp', headers: { authorization: 'Bearer x.y.z' } });
  expect(wrong.headers['www-authenticate']).toBe(`Bearer ${where}, error="invalid_token"`);
  const narrow = await send({ path: '/v1/call', headers: { authorization: `Bearer ${await issuer.sign(audience)}` } });
  expect([narrow.status, narrow.headers['www-authenticate']]).toEqual([
    403,
    `Bearer ${where}, error="insufficient_scope", scope="call"`,
  ]);
});

test('a token is checked once; when the keys rotate, a token of the new one is taken and of the old one none', async () => {
  const token = await issuer.sign(audience, { sub: 'often' });
  const ask = (each: string) => send({ path: '/v1/search', headers: { authorization: `Bearer ${each}` } });
  expect((await ask(token)).status).toBe(200);
  await issuer.rotate();
  const asked = issuer.asked();
  expect((await ask(token)).status).toBe(200);
  expect(issuer.asked()).toBe(asked);
  const next = await issuer.sign(audience, { sub: 'new' });
  await expect.poll(async () => (await ask(next)).status, { timeout: 5000 }).toBe(200);
  expect((await ask(token)).status).toBe(401);
});

test('a session at an instance is of who opened it through the proxy, by the instance and by its type', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const ask = async (path: string, token: string, session?: string, method = 'POST') => {
    const headers = { authorization: `Bearer ${token}`, ...(session !== undefined && { 'mcp-session-id': session }) };
    const { status, text, headers: heard } = await send({ method, path, headers, body: ping });
    return [status, heard['mcp-session-id'] ?? JSON.parse(text).error?.data?.code];
  };
  const unknown = [404, 'SVC_PROXY_SESSION_UNKNOWN'];
  const another = await issuer.sign(audience, { sub: 'another', scope: 'call' });
  for (const path of [`/mcp/${farmId}`, '/mcp/dcc/houdini']) {
    expect(await ask(path, tokens.caller)).toEqual([200, 'of-the-instance']);
    expect((await ask(path, tokens.caller, 'of-the-instance'))[0]).toBe(200);
    for (const method of ['POST', 'GET', 'DELETE'])
      expect(await ask(path, another, 'of-the-instance', method)).toEqual(unknown);
    expect(await ask(path, tokens.caller, 'of-nobody')).toEqual(unknown);
  }
});

test('a key that is taken back without a token of the next one counts for a minute at most', async () => {
  const token = await issuer.sign(audience, { sub: 'stays' });
  const ask = () => send({ path: '/v1/search', headers: { authorization: `Bearer ${token}` } });
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect((await ask()).status).toBe(200);
  await issuer.rotate();
  const began = Date.now();
  vi.setSystemTime(began + 55_000);
  expect((await ask()).status).toBe(200);
  vi.setSystemTime(began + 62_000);
  await expect.poll(async () => (await ask()).status, { timeout: 5000 }).toBe(401);
});
