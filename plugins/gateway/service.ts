/** The gateway's operations put together. It knows no transport. */
import { type Json, objects, text } from '../../schemas/loose.ts';
import { cautionFor } from '../../schemas/suspect-text.ts';
import { spanIn } from '../../schemas/traceparent.ts';
import type { RestRoutes } from '../rest/api.ts';
import type { Caller, GatewayService } from './api.ts';
import { runBuiltin } from './backend-tools.ts';
import { createBareNames } from './bare-name.ts';
import { createBuiltinTargets } from './builtin-target.ts';
import { createCalls } from './call.ts';
import { createCallEvents } from './call-events.ts';
import { messageOfResult } from './call-result.ts';
import { createDescribe } from './describe.ts';
import { failureOf } from './envelope.ts';
import { createLeaseOperation } from './lease-operation.ts';
import { createLifecycle } from './lifecycle.ts';
import { rankerVersion } from './next-step.ts';
import type { Parts } from './parts.ts';
import { createPolicy } from './policy.ts';
import { createProxyGuard } from './proxy-guard.ts';
import { createSearch } from './search.ts';
import { skillFacts } from './skill-events.ts';
import { createSkillSearch } from './skill-search.ts';
import { createSkillTargets } from './skill-target.ts';
import { createTargets } from './target.ts';

export interface GatewayDeps extends Omit<Parts, 'policy'> {
  batch: RestRoutes['batch'];
}

/** Most hits of each side in a search for both. */
const eachSide = 10;

export function createGateway({ batch: inOrder, ...given }: GatewayDeps) {
  const parts: Parts = { ...given, policy: createPolicy(given.settings) };
  const { instances, capabilities, policy, kernel } = parts;
  const events = createCallEvents(kernel, async (instance_id, skill_name, signal) => {
    const about = { idempotent: true, signal };
    return skillFacts(await runBuiltin(given.backends.get(instance_id), 'get_skill_info', { skill_name }, about));
  });
  const skillTargets = createSkillTargets(parts);
  const bareNames = createBareNames(parts);
  const targets = createTargets(parts, createBuiltinTargets(parts, skillTargets), bareNames);
  const searchTools = createSearch(parts);
  const searchSkills = createSkillSearch(parts);
  const describe = createDescribe(parts, targets, skillTargets);
  const lifecycle = createLifecycle(parts, targets, skillTargets, events);
  const lease = createLeaseOperation(parts);
  const call = createCalls(parts, targets, events);
  /** A call of a batch is a request of its own, below that of the batch. */
  const inBatch = (caller: Caller): Caller => {
    const requestId = kernel.ids.uuid();
    const { traceparent } = spanIn(requestId, caller.traceparent);
    const own = { requestId, traceparent, parentRequestId: caller.requestId, arrived: performance.now() };
    return Object.assign(Object.create(caller) as Caller, own);
  };
  const batch = inOrder<Caller>({
    call: (body, caller) => call(body, inBatch(caller)),
    refusal: error => failureOf(error).error,
    messageOf: messageOfResult,
  });

  const discover = async (body: Json, compact: boolean | undefined): Promise<Json> => {
    const kind = text(body.kind) ?? 'tool';
    if (kind === 'tool') return searchTools(body, compact);
    const { generation: index_generation } = capabilities;
    const tied = { search_id: kernel.ids.uuid(), ranker_version: rankerVersion, index_generation };
    if (kind === 'skill') return { ...(await searchSkills(body)), ...tied };
    const few = { ...body, limit: eachSide };
    const found = searchTools(few, compact);
    const skills = await searchSkills(few);
    const capped = (list: unknown) => Array.isArray(list) && list.length >= eachSide;
    return {
      ...{ ...tied, search_id: found.search_id },
      ...(found.hint !== undefined && { hint: found.hint }),
      ...cautionFor([...objects(found.hits), ...objects(skills.skills)]),
      ...(found.unread_instances !== undefined && { unread_instances: found.unread_instances }),
      ...(found.instances !== undefined && { instances: found.instances }),
      tools: { total: found.total, hits: found.hits, capped: capped(found.hits) },
      skills: { skills: skills.skills, total: skills.total, capped: capped(skills.skills) },
    };
  };

  /** The answer with what ties it to its request and to the state of the index, where it does not say so itself. */
  const tied = (answer: Json, { requestId: request_id, traceId: trace_id }: Caller): Json => ({
    ...{ request_id, trace_id, index_generation: capabilities.generation },
    ...answer,
  });

  const service: GatewayService = {
    get indexGeneration() {
      return capabilities.generation;
    },
    search: (body, caller) =>
      events.recorded('search', body, caller, async () => tied(searchTools(body, caller.compact), caller)),
    discover: (body, caller) =>
      events.recorded('search', body, caller, async () => tied(await discover(body, caller.compact), caller)),
    describe: (body, caller) =>
      events.recorded('describe', body, caller, async () => tied(await describe(body), caller)),
    loadSkill: async (body, caller) => tied(await lifecycle.load(body, caller), caller),
    lease,
    unloadSkill: async (body, caller) => tied(await lifecycle.unload(body, caller), caller),
    call,
    callBatch: async (body, caller) => tied(await batch(body, caller), caller),
    skills() {
      const records = instances.live().flatMap(each => capabilities.ofInstance(each.instance_id));
      const skills = records
        .filter(each => each.loaded && policy.allows(each))
        .map(({ tool_slug: slug, skill_name: skill, backend_tool: action, dcc_type: dcc, summary }) => ({
          ...{ slug, skill, action, dcc, summary, loaded: true, scope: 'gateway' },
        }));
      return { total: skills.length, skills };
    },
    meant: bareNames.meant,
    failure: failureOf,
  };
  return { service, guard: createProxyGuard(parts, events) };
}
