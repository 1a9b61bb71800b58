import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir, waitFor } from '../../../../helper.ts';
import { directory } from '../../support.ts';

const instance_id = 'AAAA1111-0000-4000-8000-000000000000';
const known = instance_id.toLowerCase();
const body = { instance_id, dcc_type: 'houdini', mcp_url: 'http://10.0.0.5:8765/mcp' };

const own = 'a-token-for-every-test';

async function remote(options: Parameters<typeof directory>[0] = { auth_tokens: [{ token: own, label: 'tests' }] }) {
  const made = await directory(options);
  const usual = options.auth_tokens?.[0]?.token === own ? `Bearer ${own}` : undefined;
  const post = async (operation: string, sent: unknown, authorization: string | undefined = usual) => {
    const response = await fetch(`${made.url}/v1/instances/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: typeof sent === 'string' ? sent : JSON.stringify(sent),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the body of an answer under test
    return { status: response.status, body: (await response.json()) as any };
  };
  const getJson = async (path: string) => {
    const headers = { ...(usual !== undefined && { authorization: usual }) };
    const response = await fetch(made.url + path, { headers });
    // biome-ignore lint/suspicious/noExplicitAny: the body of an answer under test
    return { status: response.status, body: (await response.json()) as any };
  };
  return { ...made, post, getJson };
}

test('register, heartbeat, deregister [spec:shape:register spec:instances:register]', async () => {
  const { instances, post, getJson } = await remote();
  const extra = { ttl_secs: 60, scene: '/a.hip', capabilities_fingerprint: 'f1', adapter_version: '1.2' };
  const registered = await post('register', { ...body, ...extra });
  expect(registered).toEqual({
    status: 200,
    body: {
      ok: true,
      success: true,
      operation: 'registered',
      instance_id: known,
      instance_short: 'aaaa1111',
      registered_at: expect.any(Number),
      heartbeat_interval_secs: 20,
    },
  });
  expect((await getJson('/v1/instances')).body).toMatchObject({
    total: 1,
    by_source: { http: 1 },
    instances: [
      {
        instance_id: known,
        source: 'http',
        host: '10.0.0.5',
        port: 8765,
        pid: null,
        scene: '/a.hip',
        adapter_version: '1.2',
        metadata: { dcc_mcp_registry_source: 'http', dcc_mcp_http_ttl_secs: '60', capabilities_fingerprint: 'f1' },
        gateway: { registration_refresh_mode: 'http_ttl_heartbeat' },
      },
    ],
  });
  const beat = await post('heartbeat', { instance_id, scene: '/b.hip', capabilities_fingerprint: 'f2' });
  expect(beat.body).toMatchObject({ operation: 'heartbeat', heartbeat_interval_secs: 20 });
  expect(instances.get(known)?.row).toMatchObject({ scene: '/b.hip', metadata: { capabilities_fingerprint: 'f2' } });
  expect((await post('deregister', { instance_id })).body).toMatchObject({ operation: 'deregistered' });
  expect((await post('deregister', { instance_id })).body).toEqual({
    ok: true,
    success: true,
    operation: 'not_registered',
  });
  expect(instances.list()).toEqual([]);
});

test('a row ends with its time to live; its next heartbeat is told to register again', async () => {
  const { instances, post } = await remote();
  const { body: receipt } = await post('register', { ...body, ttl_secs: 1 });
  expect(receipt.heartbeat_interval_secs).toBe(1);
  expect(instances.live()).toHaveLength(1);
  await waitFor(() => instances.list().length === 0, 'the end of the row');
  expect(await post('heartbeat', { instance_id })).toEqual({
    status: 404,
    body: { ok: false, success: false, error: { kind: 'not-found', message: expect.stringContaining('register') } },
  });
});

test('what is not a registration is refused by name', async () => {
  const { post, url, instances } = await remote();
  const cases: [unknown, RegExp][] = [
    [{ ...body, instance_id: 'x' }, /instance_id/],
    [{ ...body, dcc_type: undefined }, /dcc_type/],
    [{ ...body, mcp_url: 'ftp://a/mcp' }, /http/],
    [{ ...body, mcp_url: 'nonsense' }, /mcp_url/],
    [{ ...body, mcp_url: 'http://a/other' }, /\/mcp/],
    [{ ...body, mcp_url: 'http://me:secret@a/mcp' }, /credentials/],
    [{ ...body, mcp_url: `${url}/mcp` }, /gateway itself/],
    [{ ...body, ttl_secs: 'long' }, /ttl_secs/],
    [[], /object/],
    ['{"half', /./],
  ];
  for (const [sent, reason] of cases) {
    const { status, body: answer } = await post('register', sent);
    expect([status, answer.ok, answer.success, answer.error?.kind], JSON.stringify(sent)).toEqual([
      400,
      false,
      false,
      'bad-request',
    ]);
    expect(answer.error.message).toMatch(reason);
  }
  expect(instances.list()).toEqual([]);
});

test('with tokens, registration needs one, and a token may be for some host types only [spec:shape:auth]', async () => {
  const [any, farm] = ['token-for-every-host-type', 'token-of-the-houdini-farm'];
  const { post, instances } = await remote({
    auth_tokens: [
      { token: any, label: 'pipeline' },
      { token: farm, label: 'farm', allowed_dcc: ['Houdini'] },
    ],
  });
  for (const wrong of [undefined, 'Bearer', `Basic ${any}`, `Bearer ${farm}x`, `Bearer ${farm.slice(1)}`, farm]) {
    const refused = await post('register', body, wrong);
    expect(refused).toMatchObject({
      status: 401,
      body: { ok: false, success: false, error: { kind: 'unauthorized' } },
    });
  }
  expect(instances.get(known)).toBeUndefined();
  const scoped = await post('register', { ...body, dcc_type: 'maya' }, `Bearer ${farm}`);
  expect(scoped).toMatchObject({ status: 403, body: { error: { kind: 'dcc_scope_mismatch', dcc_type: 'maya' } } });
  expect((await post('register', { ...body, dcc_type: 'maya' }, `bearer ${any}`)).status).toBe(200);
  // The row of somebody else is not for this token to renew, remove or replace.
  expect((await post('heartbeat', { instance_id }, `Bearer ${farm}`)).status).toBe(403);
  expect((await post('deregister', { instance_id }, `Bearer ${farm}`)).status).toBe(403);
  expect((await post('register', body, `Bearer ${farm}`)).status).toBe(403);
  expect((await post('deregister', { instance_id }, `Bearer ${any}`)).status).toBe(200);
  expect((await post('register', body, `Bearer ${farm}`)).status).toBe(200);
  expect((await post('heartbeat', { instance_id })).status).toBe(401);
  expect((await post('deregister', { instance_id }, `Bearer ${farm}`)).body).toMatchObject({
    operation: 'deregistered',
  });
});

test('without tokens only servers of this machine are registered, whatever its names; no address of a link is, nor the gateway itself', async () => {
  const { post, url, instances } = await remote({});
  for (const mcp_url of ['http://10.0.0.5:8765/mcp', 'http://studio.example/mcp', 'http://[fd00::5]:1/mcp']) {
    const refused = await post('register', { ...body, mcp_url });
    expect(refused).toMatchObject({ status: 401, body: { ok: false, error: { kind: 'unauthorized' } } });
  }
  const trusted = await remote();
  const itself = ['localhost.', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '127.1', 'LOCALHOST', '[::1]'];
  for (const made of [{ post, url }, trusted]) {
    for (const mcp_url of [
      'http://169.254.169.254/mcp',
      'http://[fe80::1]/mcp',
      'http://[::ffff:169.254.169.254]/mcp',
    ]) {
      expect((await made.post('register', { ...body, mcp_url })).status).toBe(400);
    }
    for (const name of made === trusted ? [...itself, '0.0.0.0'] : itself) {
      const answer = await made.post('register', { ...body, mcp_url: `http://${name}:${new URL(made.url).port}/mcp` });
      expect([name, answer.status, answer.body.error?.message]).toEqual([name, 400, expect.stringContaining('itself')]);
    }
  }
  expect((await post('register', { ...body, mcp_url: 'http://localhost.:9/mcp' })).status).toBe(200);
  expect(instances.list()).toHaveLength(1);
});

test('a member of another type is refused by name, not by an error of ours', async () => {
  const { post } = await remote();
  for (const operation of ['register', 'heartbeat', 'deregister']) {
    for (const instance_id of [{ toString: 1 }, null, 7, ['x']]) {
      const answer = await post(operation, { ...body, instance_id });
      expect([operation, answer.status, answer.body.error.kind]).toEqual([operation, 400, 'bad-request']);
    }
  }
});

test('while a gateway is restarted nobody takes over the row of another: its owner comes back to it, or its time runs out', async () => {
  const auth_tokens = ['ann', 'bob'].map(label => ({
    label,
    token: `a-token-of-${label}-here`,
    scopes: ['register' as const],
  }));
  const [ann, bob] = auth_tokens.map(each => `Bearer ${each.token}`);
  const registry_dir = join(await tempDir(), 'registry');
  const first = await remote({ auth_tokens, registry_dir });
  const brief = { ...body, instance_id: 'bbbb1111-0000-4000-8000-000000000000', ttl_secs: 1 };
  const given = { ...body, instance_id: 'cccc1111-0000-4000-8000-000000000000' };
  for (const each of [body, brief, given]) expect((await first.post('register', each, ann)).status).toBe(200);
  expect((await first.post('deregister', given, ann)).body.operation).toBe('deregistered');
  await first.app.close();
  expect(await readFile(join(registry_dir, 'claims.json'), 'utf8')).not.toContain('a-token');

  const { post, instances } = await remote({ auth_tokens, registry_dir });
  const stolen = await post('register', { ...body, mcp_url: 'http://10.0.0.6:1/mcp' }, bob);
  expect([stolen.status, stolen.body.error.kind]).toEqual([403, 'claimed']);
  expect((await post('deregister', body, bob)).status).toBe(403);
  expect((await post('register', given, bob)).status).toBe(200);
  expect((await post('heartbeat', { instance_id }, ann)).status).toBe(404);
  expect((await post('register', body, ann)).status).toBe(200);
  expect(instances.get(known)?.row.host).toBe('10.0.0.5');
  await waitFor(async () => (await post('register', brief, bob)).status === 200, 'the end of its time');
});
