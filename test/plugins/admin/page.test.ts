/** The admin page of a real gateway over HTTP: who gets it, what may be in it, what it serves beside, and that it can be off. */
import { expect, test } from 'vitest';
import { adminPlugin } from '../../../plugins/admin/index.ts';
import { debugPlugin } from '../../../plugins/debug/index.ts';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import { startGateway } from '../gateway/rig.ts';
import { raw } from '../gateway/support.ts';

const plugins = [gatewayRestPlugin, debugPlugin, adminPlugin];
const tokenOf = (html: string): string => /name="svc-admin-token" content="([^"]+)"/.exec(html)?.[1] ?? '';

test('the page, its files and its rules', async () => {
  const { app, url } = await startGateway(plugins);
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });

  for (const path of ['/admin', '/admin/', '/admin?panel=calls']) {
    const page = await get(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const html = await page.text();
    expect(html).toContain('name="svc-admin-path" content="/admin"');
    expect(tokenOf(html)).toMatch(/^[\w-]{43}$/);
    expect(html).not.toMatch(/https?:\/\/(?!www\.w3\.org)|<script>|<style/);
  }
  const html = await (await get('/admin')).text();
  const files = [...html.matchAll(/(?:src|href)="(\/admin\/assets\/[^"]+)"/g)].map(each => each[1] ?? '');
  expect(files.map(each => each.split('.').at(-1)).sort()).toEqual(['css', 'js']);
  for (const file of files) {
    const asset = await get(file);
    expect(asset.headers.get('content-encoding')).toBe('gzip');
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect((await asset.text()).length).toBeGreaterThan(1000);
    const etag = asset.headers.get('etag') ?? '';
    expect((await get(file, { 'if-none-match': etag })).status).toBe(304);
  }
  for (const path of ['/admin/assets/..%2findex.html', '/admin/assets/nothing.js', '/admin/nothing']) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }

  // From elsewhere nobody gets in: not over a proxy, not from another site, not under another name.
  for (const headers of [
    { 'x-forwarded-for': '203.0.113.9' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:1' },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    const refused = await raw(url, '/admin', { headers });
    expect([headers, refused.status]).toEqual([headers, 403]);
    expect(refused.text).not.toContain('svc-admin-token');
  }
  expect((await raw(url, '/admin', { headers: { host: 'evil.example' } })).status).toBe(403);
  expect((await app.inject({ url: '/admin', remoteAddress: '203.0.113.9' })).statusCode).toBe(403);
});

test('every start has a token of its own, and the path can be another', async () => {
  const first = await startGateway(plugins, { admin_path: '/studio/desk/' });
  const second = await startGateway(plugins, { admin_path: '/' });
  const html = await (await fetch(`${first.url}/studio/desk`)).text();
  expect(html).toContain('src="/studio/desk/assets/');
  expect((await fetch(`${first.url}/admin`)).status).toBe(404);
  const other = await (await fetch(`${second.url}/`)).text();
  expect(other).toContain('src="/assets/');
  expect(tokenOf(html)).not.toBe(tokenOf(other));
});

test('a gateway that asks for tokens: the page is empty until somebody signs in, and for administrators alone', async () => {
  const entry = (label: string, scope: 'admin' | 'call' | 'register') => ({
    label,
    token: `${label}-token-0123456789abcdef`,
    scopes: [scope],
  });
  const auth_tokens = [entry('desk', 'admin'), entry('agent', 'call'), entry('farm', 'register')];
  const { app, url } = await startGateway(plugins, { auth_tokens, admin_path: '/desk/' });
  const ask = async (path: string, token?: string, init: RequestInit = {}) => {
    const headers = { ...init.headers, ...(token && { authorization: `Bearer ${token}-token-0123456789abcdef` }) };
    const answer = await fetch(`${url}/desk${path}`, { ...init, headers });
    return { status: answer.status, text: await answer.text() };
  };
  const html = (await ask('')).text;
  expect(html).toContain('name="svc-admin-guarded" content="true"');
  expect(tokenOf(html)).toBe('');
  for (const [, file = ''] of html.matchAll(/(?:src|href)="\/desk(\/assets\/[^"]+)"/g)) {
    expect((await ask(file)).status).toBe(200);
  }
  // What begins like its files, and is none.
  for (const path of ['/assets/../api/whoami', '/assets/nothing.js', '/assets/a/b']) {
    expect([path, (await raw(url, `/desk${path}`)).status]).toEqual([path, 404]);
  }

  const statuses = async (path: string) => {
    const asked = [undefined, 'farm', 'agent', 'nobody'].map(each => ask(path, each));
    return (await Promise.all(asked)).map(each => each.status);
  };
  expect(await statuses('/api/whoami')).toEqual([401, 403, 200, 401]);
  for (const path of ['/api/stream', '/api/calls', '/api/health', '/api/analytics/timeseries']) {
    expect([path, await statuses(path)]).toEqual([path, [401, 403, 403, 401]]);
  }
  expect(JSON.parse((await ask('/api/whoami', 'agent')).text)).toEqual({
    ...{ guarded: true, label: 'agent', scopes: ['call', 'read'] },
  });
  const { token, ...desk } = JSON.parse((await ask('/api/whoami', 'desk')).text);
  expect(desk).toEqual({ guarded: true, label: 'desk', scopes: ['admin', 'register', 'call', 'read'] });
  expect(token).toMatch(/^[\w-]{43}$/);
  expect((await ask('/api/health', 'desk')).status).toBe(200);

  // A token in the address or in a cookie is none, and no other site gets anything.
  expect((await ask('/api/health?access_token=desk-token-0123456789abcdef')).status).toBe(401);
  const cookie = 'authorization=Bearer desk-token-0123456789abcdef; svc-token=desk-token-0123456789abcdef';
  expect((await ask('/api/health', undefined, { headers: { cookie } })).status).toBe(401);
  expect((await raw(url, '/desk', { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  // From elsewhere the token says who it is.
  const elsewhere = { authorization: 'Bearer desk-token-0123456789abcdef', 'x-forwarded-for': '203.0.113.9' };
  expect((await raw(url, '/desk/api/health', { headers: elsewhere })).status).toBe(200);
  expect((await app.inject({ url: '/desk', remoteAddress: '203.0.113.9' })).statusCode).toBe(200);
});

test('off: neither page nor interface', async () => {
  const { url } = await startGateway(plugins, { admin_enabled: false });
  for (const path of ['/admin', '/admin/api/stream', '/admin/api/calls', '/admin/api/analytics/timeseries']) {
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404]);
  }
});
