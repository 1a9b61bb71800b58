/** Every kind of the gateway's REST, each provoked over HTTP. */
import type { Case, Scene } from './case.ts';
import { get, post } from './world.ts';

const call =
  (tool: string, args: unknown = {}, meta: unknown = undefined): Case['provoke'] =>
  ({ world, maya }) =>
    post(world.url, 'call', { tool_slug: `maya.${maya.short}.${tool}`, arguments: args, meta });

const callSkill =
  (tool: string): Case['provoke'] =>
  ({ world, maya }) =>
    post(world.url, 'call', { tool_slug: `maya.${maya.short}.${tool}` });

const load = (body: (scene: Scene) => unknown): Case['provoke'] => {
  return scene => post(scene.world.url, 'load_skill', body(scene));
};

const leased = async ({ second }: Scene): Promise<void> =>
  second.say({ lease: { owner: 'me', expires_at: Date.now() / 1000 + 600, job_id: 'j1' } });

const callSecond =
  (meta?: unknown): Case['provoke'] =>
  async scene => {
    await leased(scene);
    const send = () =>
      post(scene.world.url, 'call', { tool_slug: `maya.${scene.second.short}.echo`, arguments: { text: 'x' }, meta });
    let answer = await send();
    // The gateway sees the row a moment later.
    for (const end = Date.now() + 5000; answer.status === 200 && Date.now() < end; ) answer = await send();
    return answer;
  };

const retryable = { retryable: true, recommended_next_action: expect_text() };
const final = { retryable: false, recommended_next_action: expect_text() };

/** Some text; vitest's own matcher works inside data. */
function expect_text(): unknown {
  return { asymmetricMatch: (value: unknown) => typeof value === 'string' && value !== '' };
}

export const gatewayCases: readonly Case[] = [
  { kind: 'unknown-slug', status: 404, what: 'a tool that the instance has not', provoke: call('nobody'), told: final },
  {
    kind: 'ambiguous',
    status: 409,
    what: 'a short id that fits two instances',
    provoke: ({ world }) => post(world.url, 'call', { tool_slug: 'odd.abcdabc.load_skill' }),
    told: { candidates: { length: 2 }, recommended_next_action: expect_text() },
  },
  { kind: 'instance-leased', status: 409, what: 'no owner named', provoke: callSecond(), told: retryable },
  {
    kind: 'lease-owner-mismatch',
    status: 409,
    what: 'another owner named',
    provoke: callSecond({ lease_owner: 'you' }),
    told: final,
  },
  {
    kind: 'skill-not-loaded',
    status: 409,
    what: 'a tool of a skill before its load',
    provoke: callSkill('rig__rig_answer'),
    told: { next_step: { action: 'load_skill' } },
  },
  {
    kind: 'policy-denied',
    status: 403,
    what: 'a writing tool behind a read-only gateway',
    provoke: ({ world, maya }) =>
      world.throughAnother({ gateway_read_only: true }, async url => {
        await world.offered(`maya.${maya.short}.echo`, url);
        return post(url, 'call', { tool_slug: `maya.${maya.short}.throws` });
      }),
    told: { retryable: false, policy: { operation: 'call', read_only: true, dcc_type: 'maya' } },
  },
  {
    kind: 'policy-denied',
    status: 403,
    what: 'a policy hook of the instance vetoes the call',
    provoke: call('guarded'),
    told: { retryable: false, backend: { data: { code: 'EVENT_VETOED', veto_code: 'review' } } },
  },
  {
    kind: 'throttled',
    status: 429,
    what: 'more background jobs than may wait',
    async provoke({ world, jobs }) {
      for (;;) {
        const answer = await post(world.url, 'call', { tool_slug: `blender.${jobs.short}.render` });
        if (answer.status !== 200) return answer;
      }
    },
    told: { ...retryable, backend: { code: -32005 } },
  },
  { kind: 'tool-error', status: 502, what: 'a handler that throws', provoke: call('throws') },
  {
    kind: 'schema-unavailable',
    status: 502,
    what: 'an instance that does not list the tool',
    provoke: ({ world }) => post(world.url, 'describe', { tool_slug: 'odd.abcdabc1.jobs_get_status' }),
    told: retryable,
  },
  {
    kind: 'invalid-params',
    status: 400,
    what: 'arguments that do not fit',
    provoke: call('echo', { text: 7 }),
    told: final,
  },
  { kind: 'bad-request', status: 400, what: 'arguments that are no object', provoke: call('echo', [1]) },
  {
    kind: 'bad-request',
    status: 400,
    what: 'an id of less than four characters',
    provoke: load(() => ({ skill_name: 'rig', instance_id: 'abc' })),
  },
  {
    kind: 'bad-request',
    status: 400,
    what: 'a batch of nothing',
    provoke: ({ world }) => post(world.url, 'call_batch', { calls: [] }),
    told: { retryable: false },
  },
  {
    kind: 'thread-affinity-violation',
    status: 400,
    what: 'a tool that must run on the main thread, in a worker',
    provoke: callSkill('pinned__pinned_answer'),
    told: { retryable: false },
  },
  {
    kind: 'affinity-violation',
    status: 400,
    what: 'a tool that must run in the host process, as a script',
    provoke: callSkill('inside__inside_answer'),
    told: { retryable: false },
  },
  {
    kind: 'not-found',
    status: 404,
    what: 'a prompt that no instance has',
    provoke: ({ world }) => get(world.url, '/v1/prompts/nobody'),
  },
  {
    kind: 'ambiguous-instance',
    status: 400,
    what: 'a skill without an instance, where two run',
    provoke: load(() => ({ skill_name: 'nobody', dcc: 'maya' })),
    told: { candidates: { length: 2 }, recommended_next_action: expect_text() },
  },
  {
    kind: 'skill-not-found',
    status: 400,
    what: 'a skill that the instance has not',
    provoke: load(({ maya }) => ({ skill_name: 'nobody', instance_id: maya.id })),
    told: final,
  },
  {
    kind: 'group-not-found',
    status: 400,
    what: 'a tool group that the instance has not',
    provoke: load(({ maya }) => ({ tool_group: 'nobody', instance_id: maya.id })),
    told: final,
  },
  {
    kind: 'no-discovery-endpoint',
    status: 400,
    what: 'a sidecar that is called, but knows no skills',
    provoke: load(({ sidecar }) => ({ skill_name: 'rig', instance_id: sidecar.id })),
    told: final,
  },
  ...(
    [
      ['kind-several', 'ambiguous-instance', 400],
      ['kind-loaded', 'skill-already-loaded', 400],
      ['kind-group', 'group-not-found', 400],
      ['kind-skill', 'skill-not-found', 400],
      ['kind-discovery', 'no-discovery-endpoint', 400],
      ['worded-several', 'ambiguous-instance', 502],
      ['worded-offline', 'instance-offline', 502],
      ['worded-schema', 'schema-unavailable', 502],
      ['worded-group', 'group-not-found', 502],
      ['worded-loaded', 'skill-already-loaded', 502],
      ['worded-skill', 'skill-not-found', 502],
      ['worded', 'backend-error', 502],
    ] as const
  ).map(
    ([skill_name, kind, status]): Case => ({
      kind,
      status,
      what: `a foreign server refuses with ${skill_name.startsWith('kind') ? 'this kind' : 'words only'}`,
      provoke: load(({ foreignIds }) => ({ skill_name, instance_id: foreignIds[0] })),
      told: { backend: { asymmetricMatch: (value: unknown) => value !== undefined } },
    }),
  ),
];
