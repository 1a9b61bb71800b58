/** The gateway's operations put together. It knows no transport. */
import type { Kernel } from '../../kernel/index.ts';
import type { InstancesService } from '../instances/api.ts';
import type { RestRoutes } from '../rest/api.ts';
import type { Caller, GatewayService, Json } from './api.ts';
import type { BackendsService } from './backends/api.ts';
import { createCalls } from './call.ts';
import { messageOfResult } from './call-result.ts';
import type { Settings } from './config.ts';
import { correlated } from './correlated.ts';
import type { DeliveryService } from './delivery/api.ts';
import { createDescribe } from './describe.ts';
import { failureOf } from './envelope.ts';
import type { CapabilitiesService } from './index/api.ts';
import { createLifecycle } from './lifecycle.ts';
import { rankerVersion } from './next-step.ts';
import { createPolicy } from './policy.ts';
import { text } from './requests.ts';
import { createSearch } from './search.ts';
import { createSkillSearch } from './skill-search.ts';
import { createSkillTargets } from './skill-target.ts';
import { createTargets } from './target.ts';

export interface GatewayDeps {
  kernel: Pick<Kernel, 'bus' | 'ids' | 'config'>;
  settings: Settings;
  instances: InstancesService;
  backends: BackendsService;
  capabilities: CapabilitiesService;
  /** Tells every client that what it can call has changed. */
  announce(): void;
  delivery: Pick<DeliveryService, 'begin'>;
  batch: RestRoutes['batch'];
}

/** Most hits of each side in a search for both. */
const eachSide = 10;

export function createGateway(deps: GatewayDeps): GatewayService {
  const { kernel, settings, instances, backends, capabilities, announce, delivery } = deps;
  const { ids } = kernel;
  const policy = createPolicy(settings);
  const targets = createTargets({ capabilities, instances, backends });
  const skillTargets = createSkillTargets({ instances, capabilities, backends });
  const searchTools = createSearch({ capabilities, instances, policy, ids });
  const searchSkills = createSkillSearch({ instances, backends, policy });
  const describe = createDescribe({ targets, skillTargets, capabilities, policy });
  const lifecycle = createLifecycle({ capabilities, skillTargets, policy, announce });

  const call = createCalls({
    longestWaitMs: settings.gateway_wait_timeout_ms,
    kernel,
    targets,
    policy,
    instances,
    refresh: id => capabilities.refresh(id),
    indexGeneration: () => capabilities.generation,
    delivery,
  });
  const batch = deps.batch<Caller>({ call, refusal: error => failureOf(error).error, messageOf: messageOfResult });

  const discover = async (body: Json): Promise<Json> => {
    const kind = text(body.kind) ?? 'tool';
    if (kind === 'tool') return searchTools(body);
    const tied = { search_id: ids.uuid(), ranker_version: rankerVersion, index_generation: capabilities.generation };
    if (kind === 'skill') return { ...(await searchSkills(body)), ...tied };
    const few = { ...body, limit: eachSide };
    const found = searchTools(few);
    const skills = await searchSkills(few);
    const capped = (list: unknown) => Array.isArray(list) && list.length >= eachSide;
    return {
      ...{ ...tied, search_id: found.search_id },
      ...(found.hint !== undefined && { hint: found.hint }),
      tools: { total: found.total, hits: found.hits, capped: capped(found.hits) },
      skills: { skills: skills.skills, total: skills.total, capped: capped(skills.skills) },
    };
  };

  const tied = (answer: Json, caller: Parameters<GatewayService['call']>[1]): Json =>
    correlated(answer, caller, capabilities.generation);

  return {
    get indexGeneration() {
      return capabilities.generation;
    },
    search: async (body, caller) => tied(searchTools(body), caller),
    discover: async (body, caller) => tied(await discover(body), caller),
    describe: async (body, caller) => tied(await describe(body), caller),
    loadSkill: async (body, caller) => tied(await lifecycle.load(body), caller),
    unloadSkill: async (body, caller) => tied(await lifecycle.unload(body), caller),
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
    failure: failureOf,
  };
}
