import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorTable, packageRoot } from '../../../../kernel/index.ts';
import { verifies } from '../../../spec/verifies.ts';
import { type Case, checkFlat, checkNested, type Scene } from './case.ts';
import { gatewayCases } from './gateway-cases.ts';
import { goneCases } from './gone-cases.ts';
import { openHosts, token } from './hosts.ts';
import { instanceCases } from './instance-cases.ts';
import { get, openWorld, post, requestId } from './world.ts';

/** shape:envelope, row by row: the statuses of a kind at the gateway and at an instance. */
const contract: Readonly<Record<string, { gateway?: readonly number[]; instance?: number }>> = {
  'unknown-slug': { gateway: [404], instance: 404 },
  ambiguous: { gateway: [409], instance: 409 },
  'instance-leased': { gateway: [409] },
  'lease-owner-mismatch': { gateway: [409] },
  'skill-not-loaded': { instance: 409 },
  'instance-offline': { gateway: [404, 410, 502, 503] },
  'policy-denied': { gateway: [403], instance: 403 },
  throttled: { gateway: [429] },
  'host-busy': { gateway: [503], instance: 503 },
  'host-died': { gateway: [502] },
  'backend-error': { gateway: [502], instance: 502 },
  'tool-error': { gateway: [502] },
  'schema-unavailable': { gateway: [502] },
  'invalid-params': { gateway: [400], instance: 400 },
  'bad-request': { gateway: [400], instance: 400 },
  unauthorized: { gateway: [401], instance: 401 },
  'affinity-violation': { gateway: [400], instance: 409 },
  'thread-affinity-violation': { gateway: [400], instance: 409 },
  'not-ready': { instance: 503 },
  'not-found': { instance: 404 },
  internal: { instance: 500 },
  'ambiguous-instance': { gateway: [400, 502] },
  'group-not-found': { gateway: [400, 502] },
  'skill-not-found': { gateway: [400, 502] },
  'skill-already-loaded': { gateway: [400, 502] },
  'no-discovery-endpoint': { gateway: [400] },
};

/** Kinds that are no answer of these surfaces, and where they are provoked. */
const elsewhere: Readonly<Record<string, string>> = {
  conflict: 'a webhook whose name is taken: test/plugins/admin/integrations.test.ts',
  'job-cancelled': 'the error of a job record: test/plugins/jobs/routes.test.ts',
  'job-failed': 'the error of a job record: test/plugins/jobs/routes.test.ts',
  'job-interrupted': 'the error of a job record: test/plugins/jobs/routes.test.ts',
  'invalid-feedback': 'a finding that is none: test/plugins/feedback/submission.test.ts',
  'invalid-feedback-query': 'a list that cannot be asked for: test/plugins/feedback/listing.test.ts',
  'feedback-read-failed': 'findings that cannot be read: test/plugins/feedback/listing.test.ts',
  'feedback-write-failed': 'a finding that cannot be kept: test/plugins/feedback/submission.test.ts',
  'response-encoding-error': 'an answer that has no compact form: test/plugins/rest/encoding.test.ts',
};

const registerToken = 'another-token-of-the-tests';
/** Its envelope is that of the registration (shape:register); provoked below. */
const registration = ['unauthorized', 'dcc_scope_mismatch', 'insufficient-scope', 'claimed'];
/** Flat, and of one route (shape:instance-views); provoked below. */
const context = ['instance-not-found'];

let scene: Scene;

beforeAll(async () => {
  const world = await openWorld();
  const hosts = await openHosts(world);
  scene = { world, ...hosts };
  await Promise.all([
    world.offered(`maya.${hosts.maya.short}.echo`),
    world.offered(`maya.${hosts.second.short}.echo`),
    world.offered(`blender.${hosts.jobs.short}.render`),
    world.offered(`houdini.${hosts.sidecar.short}.ask_host`),
  ]);
}, 60_000);

afterAll(() => scene?.world.close(), 60_000);

const nested = [...gatewayCases, ...goneCases];
const titled = (cases: readonly Case[]) =>
  cases.map(each => [`${each.kind} ${each.status}: ${each.what}`, each] as const);

test.each(titled(instanceCases))('at an instance: %s [spec:shape:envelope]', { timeout: 60_000 }, async (_, each) => {
  checkFlat(await each.provoke(scene), each);
});

test.each(titled(nested))('at the gateway: %s [spec:shape:envelope]', { timeout: 60_000 }, async (_, each) => {
  checkNested(await each.provoke(scene), each);
});

test('what was refused for a time is served afterwards: attached, awake, with a token, to the holder of the lease', async () => {
  const { world, maya, second, waking, guarded } = scene;
  await maya.server.registerHandler('later', () => 'now');
  expect((await post(maya.url, 'call', { tool_slug: 'maya.host.later' })).json).toMatchObject({ output: 'now' });
  scene.wake();
  expect((await post(waking.url, 'call', { tool_slug: 'katana.host.echo' })).status).toBe(200);
  await world.offered(`katana.${waking.short}.echo`);
  expect((await post(guarded.url, 'search', {}, { authorization: `bearer ${token}` })).status).toBe(200);
  const call = (meta?: unknown) =>
    post(world.url, 'call', { tool_slug: `maya.${second.short}.echo`, arguments: { text: 'x' }, meta });
  expect((await call({ lease_owner: 'me' })).status).toBe(200);
  const { json } = await get(world.url, `/v1/instances/${second.id}/context`);
  expect(json.pool).toMatchObject({ lease_owner: 'me', current_job_id: 'j1', available: false });
  await second.say({ lease: null });
  let freed = await call();
  for (const end = Date.now() + 5000; freed.status !== 200 && Date.now() < end; ) freed = await call();
  expect(freed.status).toBe(200);
});

test('unauthorized is 401 and dcc_scope_mismatch 403 for a registration [spec:shape:envelope spec:shape:auth]', async () => {
  const grant = { token: registerToken, label: 'farm', allowed_dcc: ['maya'] };
  const body = {
    instance_id: 'feed0009-0000-4000-8000-000000000000',
    dcc_type: 'odd',
    mcp_url: 'http://127.0.0.1:9/mcp',
  };
  const reader = { token: `${registerToken}-2`, label: 'reader', scopes: ['read' as const] };
  const other = { token: `${registerToken}-3`, label: 'other farm', allowed_dcc: ['maya'] };
  await scene.world.throughAnother({ auth_tokens: [grant, reader, other] }, async url => {
    const refused = await post(url, 'instances/register', body);
    expect(refused.status).toBe(401);
    expect(refused.json).toMatchObject({ ok: false, success: false, error: { kind: 'unauthorized' } });
    const scoped = await post(url, 'instances/register', body, { authorization: `Bearer ${registerToken}` });
    expect(scoped.status).toBe(403);
    expect(scoped.json).toMatchObject({ ok: false, error: { kind: 'dcc_scope_mismatch', dcc_type: 'odd' } });
    const reading = await post(url, 'instances/register', body, { authorization: `Bearer ${reader.token}` });
    expect(reading).toMatchObject({ status: 403, json: { error: { kind: 'insufficient-scope' } } });
    const own = { ...body, dcc_type: 'maya' };
    const first = await post(url, 'instances/register', own, { authorization: `Bearer ${registerToken}` });
    const stolen = await post(url, 'instances/register', own, { authorization: `Bearer ${other.token}` });
    expect([first.status, stolen]).toMatchObject([200, { status: 403, json: { error: { kind: 'claimed' } } }]);
  });
});

test('instance-not-found is 404 for the context of an instance [spec:shape:instance-views]', async () => {
  const answer = await get(scene.world.url, '/v1/instances/ffffffff/context');
  expect([answer.status, answer.json.kind]).toEqual([404, 'instance-not-found']);
});

test('a refused batch says success false beside the error [spec:shape:batch]', async () => {
  const answer = await post(scene.world.url, 'call_batch', { calls: 'none' });
  expect(answer.json).toMatchObject({ success: false, error: { kind: 'bad-request' } });
  expect(answer.headers['x-request-id']).toBe(requestId);
});

verifies(
  ['gateway-rest:errors', 'error:rest-envelope'],
  'the table of provocations is complete: every kind of the contract with every status, and every kind of the error table',
  async () => {
    const seen = (cases: readonly Case[], kind: string) => [
      ...new Set(cases.filter(each => each.kind === kind).map(each => each.status)),
    ];
    for (const [kind, { gateway = [], instance }] of Object.entries(contract)) {
      const provoked = kind === 'unauthorized' ? [401] : seen(nested, kind);
      expect(provoked.filter(each => gateway.includes(each)).sort(), `${kind} at the gateway`).toEqual(gateway);
      if (instance !== undefined) expect(seen(instanceCases, kind), `${kind} at an instance`).toEqual([instance]);
    }
    await loadErrors();
    const emitted = new Set([...errorTable.values()].flatMap(row => row.kind ?? []));
    const provoked = [...instanceCases, ...nested].map(each => each.kind);
    const known = new Set([...provoked, ...registration, ...context, ...Object.keys(elsewhere)]);
    expect([...emitted].filter(each => !known.has(each))).toEqual([]);
    expect([...known].filter(each => !emitted.has(each))).toEqual([]);
  },
);

/** Every module that adds rows to the error table. */
async function loadErrors(): Promise<void> {
  const root = join(packageRoot, 'plugins');
  for (const name of await readdir(root, { recursive: true })) {
    if (!name.endsWith('.ts') || !/= defineErrors\(/.test(await readFile(join(root, name), 'utf8'))) continue;
    await import(pathToFileURL(join(root, name)).href);
  }
}
