import { expect, test } from 'vitest';
import { defineErrors } from '../../../kernel/index.ts';
import { failureOf } from '../../../plugins/gateway/envelope.ts';
import type { CapabilityRecord } from '../../../plugins/gateway/index/api.ts';
import { checkLease } from '../../../plugins/gateway/leases.ts';
import { nextStep } from '../../../plugins/gateway/next-step.ts';
import { createPolicy, type PolicyConfig } from '../../../plugins/gateway/policy.ts';
import type { InstanceRow } from '../../../plugins/instances/api.ts';

const kinds: Record<string, number> = {
  'unknown-slug': 404,
  ambiguous: 409,
  'instance-leased': 409,
  'lease-owner-mismatch': 409,
  'policy-denied': 403,
  throttled: 429,
  'host-busy': 503,
  'host-died': 502,
  'backend-error': 502,
  'schema-unavailable': 502,
  'invalid-params': 400,
  'bad-request': 400,
  unauthorized: 401,
  'affinity-violation': 400,
  'thread-affinity-violation': 400,
  'ambiguous-instance': 400,
  'no-discovery-endpoint': 400,
};
const rows = Object.fromEntries(
  Object.keys(kinds).map(kind => [kind, { rpc: null, http: 418, kind, template: `about ${kind}` }]),
);
const made = defineErrors('SVC_ENVELOPE_TEST', {
  ...rows,
  OFFLINE: { rpc: null, http: 503, kind: 'instance-offline', template: 'offline' },
});

test.each(Object.entries(kinds))('the kind %s has the status %i [spec:shape:envelope]', (kind, status) => {
  const failure = failureOf((made as Record<string, (details: object) => Error>)[kind]?.({ candidates: ['a'] }));
  expect(failure.status).toBe(status);
  expect(failure.error).toMatchObject({
    kind,
    message: `about ${kind}`,
    candidates: ['a'],
    previous_status: null,
    previous_instance_id: null,
  });
  expect(failure.error).toHaveProperty('retryable');
  expect(failure.error).toHaveProperty('recommended_next_action');
});

test.each([
  ['never-registered', 404],
  ['exited', 410],
  ['deregistered', 410],
  ['host-died', 410],
  ['heartbeat-timeout', 410],
  ['booting', 503],
  ['stale', 503],
  [undefined, 503],
])('instance-offline after %s has the status %i [spec:shape:envelope]', (previous_status, status) => {
  const failure = failureOf(made.OFFLINE({ previous_status, previous_instance_id: 'i' }));
  expect(failure.status).toBe(status);
  expect(failure.error).toMatchObject({ previous_status: previous_status ?? null, previous_instance_id: 'i' });
});

test('what nobody foresaw is an internal error', () => {
  expect(failureOf(new Error('boom'))).toMatchObject({ status: 500, kind: 'internal' });
});

const record: CapabilityRecord = {
  tool_slug: 'maya.abcdef01.bevel',
  backend_tool: 'bevel',
  callable_id: 'model__bevel',
  skill_name: 'model',
  summary: '',
  description: '',
  tags: [],
  aliases: [],
  dcc_type: 'maya',
  instance_id: 'abcdef01-0000-4000-8000-000000000000',
  has_schema: true,
  loaded: true,
  group_active: true,
};
const meta = { search_id: 's', ranker_version: 'r', index_generation: 'g' };
const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

test('the next step of a hit, in both spellings [spec:shape:search]', () => {
  const { tool_slug, instance_id } = record;
  const sent = { tool_slug, meta };
  expect(nextStep(record, meta)).toEqual({
    action: 'describe',
    arguments: sent,
    mcp: { tool: 'describe', arguments: sent, _meta: meta },
    rest: { method: 'POST', path: '/v1/describe', body: sent },
  });
  const bare = { ...record, has_schema: false };
  expect(nextStep(bare, meta).action).toBe('describe');
  expect(nextStep({ ...bare, annotations: hints }, meta)).toMatchObject({
    action: 'call',
    rest: { path: '/v1/call', body: { tool_slug, arguments: {} } },
  });
  const load = { skill_name: 'model', dcc: 'maya', dcc_type: 'maya', instance_id, target_tool_slug: tool_slug, meta };
  expect(nextStep({ ...record, loaded: false }, meta)).toMatchObject({ action: 'load_skill', arguments: load });
  expect(nextStep({ ...record, group_active: false, tool_group: 'extras' }, meta).arguments).toEqual({
    ...load,
    tool_group: 'extras',
    group_action: 'activate',
  });
});

const config: PolicyConfig = {
  gateway_read_only: false,
  gateway_allowed_dcc_types: [],
  gateway_allowed_skills: [],
  gateway_allowed_tools: [],
};
const refused = (reason: RegExp) =>
  expect.objectContaining({ code: 'SVC_GATEWAY_POLICY_DENIED', message: expect.stringMatching(reason) });

test('allowlists restrict, without regard to case; empty ones do not [spec:shape:envelope]', () => {
  expect(createPolicy(config).restricts).toBe(false);
  const by = (changes: Partial<PolicyConfig>) => createPolicy({ ...config, ...changes });
  expect(by({ gateway_allowed_dcc_types: ['MAYA'] }).allows(record)).toBe(true);
  expect(by({ gateway_allowed_skills: ['Model'] }).allows(record)).toBe(true);
  for (const name of ['bevel', 'MODEL__bevel', record.tool_slug]) {
    expect(by({ gateway_allowed_tools: [name] }).allows(record)).toBe(true);
  }
  expect(() => by({ gateway_allowed_dcc_types: ['blender'] }).checkCall(record)).toThrow(refused(/host type maya/));
  expect(() => by({ gateway_allowed_skills: ['rig'] }).checkCall(record)).toThrow(refused(/skill/));
  expect(() => by({ gateway_allowed_tools: ['rig'] }).checkCall(record)).toThrow(refused(/tool/));
  expect(() => by({ gateway_allowed_skills: ['rig'] }).checkLifecycle('load_skill', 'maya', ['model'])).toThrow(
    refused(/model/),
  );
});

test('read-only mode lets reading tools through and nothing else [spec:shape:envelope]', () => {
  const policy = createPolicy({ ...config, gateway_read_only: true });
  expect(policy.allows({ ...record, annotations: hints })).toBe(true);
  expect(policy.allows(record)).toBe(false);
  expect(() => policy.checkLifecycle('unload_skill', 'maya', ['model'])).toThrow(refused(/read-only/));
  try {
    policy.checkCall(record);
    expect.unreachable();
  } catch (error) {
    expect(failureOf(error)).toMatchObject({
      status: 403,
      error: {
        policy: {
          operation: 'call',
          read_only: true,
          dcc_type: 'maya',
          skill_name: 'model',
          tool_slug: record.tool_slug,
        },
      },
    });
  }
});

test('a lease lets its owner through while it runs [spec:shape:call]', () => {
  const leased = (row: object, given: object) =>
    checkLease({ row: row as InstanceRow, instance_short: 'abcdef01' }, given as never, 1_000_000);
  leased({}, {});
  leased({ lease_owner: 'me', lease_expires_at: 1001 }, { lease_owner: 'me' });
  leased({ lease_owner: 'me', lease_expires_at: 1000 }, {});
  expect(() => leased({ lease_owner: 'me' }, {})).toThrow(expect.objectContaining({ code: 'SVC_GATEWAY_LEASED' }));
  expect(() => leased({ lease_owner: 'me', lease_expires_at: 1001 }, { lease_owner: 'you' })).toThrow(
    expect.objectContaining({ code: 'SVC_GATEWAY_LEASE_OWNER' }),
  );
});
