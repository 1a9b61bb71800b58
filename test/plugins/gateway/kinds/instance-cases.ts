/** Every kind of the instance's REST twin, each provoked over HTTP. */

import { once } from 'node:events';
import { spawnHost } from '../../../host-process.ts';
import type { Case } from './case.ts';
import { pause, token } from './hosts.ts';
import { get, post } from './world.ts';

const call =
  (tool: string, args: unknown = {}): Case['provoke'] =>
  ({ maya }) =>
    post(maya.url, 'call', { tool_slug: `maya.host.${tool}`, arguments: args });

const callSkill =
  (slug: string): Case['provoke'] =>
  ({ maya }) =>
    post(maya.url, 'call', { tool_slug: slug });

export const instanceCases: readonly Case[] = [
  {
    kind: 'unknown-slug',
    status: 404,
    what: 'a tool that nobody has',
    provoke: call('nobody'),
    told: { candidates: [] },
  },
  { kind: 'ambiguous', status: 409, what: 'a skill and the host have the same slug', provoke: call('twin') },
  {
    kind: 'skill-not-loaded',
    status: 409,
    what: 'a tool of a skill before its load',
    provoke: callSkill('maya.rig.rig_answer'),
  },
  { kind: 'skill-not-loaded', status: 409, what: 'a tool of a group that is not active', provoke: call('grouped') },
  {
    kind: 'policy-denied',
    status: 403,
    what: 'a policy hook vetoes the call',
    provoke: call('guarded'),
    told: { code: 'EVENT_VETOED', context: { veto_reason: 'not in review' } },
  },
  {
    kind: 'host-busy',
    status: 503,
    what: 'as many calls as may wait for the blocked main thread',
    async provoke({ world }) {
      const child = await spawnHost('dedicated', undefined, { host_queue_max: 1, registry_dir: world.registry_dir });
      const [{ mcp_url }] = (await once(child, 'message')) as [{ mcp_url: string }];
      const url = mcp_url.replace(/\/mcp$/, '');
      const count = () => post(url, 'call', { tool_slug: 'python.host.count' });
      child.send({ block_ms: 2500 });
      await pause(200);
      const waiting = count();
      await pause(100);
      const answer = await count();
      await waiting;
      return answer;
    },
    timeout: 20,
  },
  { kind: 'backend-error', status: 502, what: 'a handler that throws', provoke: call('throws') },
  { kind: 'invalid-params', status: 400, what: 'arguments that do not fit', provoke: call('echo', { text: 7 }) },
  { kind: 'bad-request', status: 400, what: 'arguments that are no object', provoke: call('echo', [1]) },
  {
    kind: 'bad-request',
    status: 400,
    what: 'a body that is no JSON',
    provoke: ({ maya }) => post(maya.url, 'call', '{'),
  },
  { kind: 'unauthorized', status: 401, what: 'no token', provoke: ({ guarded }) => get(guarded.url, '/v1/skills') },
  {
    kind: 'unauthorized',
    status: 401,
    what: 'another token',
    provoke: ({ guarded }) => post(guarded.url, 'search', {}, { authorization: `Bearer ${token}-2` }),
  },
  {
    kind: 'thread-affinity-violation',
    status: 409,
    what: 'a tool that must run on the main thread, in a worker',
    provoke: callSkill('python.pinned.pinned_answer'),
  },
  {
    kind: 'affinity-violation',
    status: 409,
    what: 'a tool that must run in the host process, as a script',
    provoke: callSkill('python.inside.inside_answer'),
  },
  {
    kind: 'affinity-violation',
    status: 409,
    what: 'a tool that must run in the host process, in a skill with a process of its own',
    provoke: callSkill('python.apart.apart_answer'),
  },
  { kind: 'not-ready', status: 503, what: 'a tool whose handler is not attached yet', provoke: call('later') },
  {
    kind: 'not-ready',
    status: 503,
    what: 'a host application that still starts',
    provoke: ({ waking }) => post(waking.url, 'call', { tool_slug: 'katana.host.echo' }),
    told: { context: { missing_bits: ['dcc'] } },
  },
  {
    kind: 'not-found',
    status: 404,
    what: 'a resource that nobody has',
    provoke: ({ maya }) => get(maya.url, '/v1/resources/none%3A%2F%2Fhere'),
  },
  { kind: 'not-found', status: 404, what: 'a route that is none', provoke: ({ maya }) => get(maya.url, '/v1/nothing') },
  {
    kind: 'internal',
    status: 500,
    what: 'a producer that throws',
    provoke: ({ maya }) => get(maya.url, '/v1/resources/broken%3A%2F%2Fone'),
  },
  {
    kind: 'throttled',
    status: 429,
    what: 'more background jobs than may wait',
    async provoke({ jobs }) {
      const render = () => post(jobs.url, 'call', { tool_slug: 'blender.host.render' });
      for (;;) {
        const answer = await render();
        if (answer.status !== 202) return answer;
      }
    },
  },
  {
    kind: 'skill-not-found',
    status: 404,
    what: 'a skill that nobody has',
    provoke: ({ maya }) => post(maya.url, 'load_skill', { skill_name: 'nobody' }),
  },
  {
    kind: 'group-not-found',
    status: 404,
    what: 'a tool group that nobody has',
    provoke: ({ maya }) => post(maya.url, 'load_skill', { tool_group: 'nobody' }),
  },
  {
    kind: 'skill-lifecycle',
    status: 409,
    what: 'a skill whose code cannot be built',
    provoke: ({ maya }) => post(maya.url, 'load_skill', { skill_name: 'torn' }),
  },
];
