/** POST /v1/load_skill and /v1/unload_skill: skills and tool groups of one instance (CONTRACT 4.3). */

import type { Json } from './api.ts';
import { type RunOptions, runBuiltin } from './backend-tools.ts';
import { gatewayErrors } from './errors.ts';
import type { CapabilitiesService, CapabilityRecord } from './index/api.ts';
import { isFullyHinted, rankerVersion, step } from './next-step.ts';
import type { Policy } from './policy.ts';
import { callMeta, requiredText, text, texts } from './requests.ts';
import { sampleArguments } from './sample.ts';
import type { SkillTargets } from './skill-target.ts';

export interface LifecycleDeps {
  capabilities: CapabilitiesService;
  skillTargets: SkillTargets;
  policy: Policy;
  /** Tells the clients that what they can call has changed. */
  announce(): void;
}

export function createLifecycle({ capabilities, skillTargets, policy, announce }: LifecycleDeps) {
  const callable = (instanceId: string): CapabilityRecord[] =>
    capabilities.ofInstance(instanceId).filter(each => each.loaded && each.group_active);

  const meta = (searchId: unknown) => ({
    search_id: text(searchId),
    ranker_version: rankerVersion,
    index_generation: capabilities.generation,
  });

  /** Runs the built-in that the request means, and has the instance's tools read again. */
  const change = async (body: Json, request: LoadRequest): Promise<Json> => {
    const { names, group, deactivate } = request;
    const operation = group !== undefined && (deactivate || names.length === 0) ? 'group' : 'load_skill';
    const backend = skillTargets.choose(body, names);
    const { instance } = backend;
    policy.checkLifecycle(operation, instance.dcc_type, names);
    const known = new Map(callable(instance.instance_id).map(each => [each.tool_slug, each]));
    const loaded = names.length > 0 && names.every(name => isLoaded(instance.instance_id, name));
    const options: RunOptions = { skill: names[0], group };
    const switches = group !== undefined && (deactivate || names.length === 0 || loaded);
    const answer = switches
      ? await runBuiltin(
          backend,
          deactivate ? 'deactivate_tool_group' : 'activate_tool_group',
          groupArguments(request),
          options,
        )
      : await runBuiltin(backend, 'load_skill', loadArguments(body, request), options);
    await capabilities.refresh(instance.instance_id);
    announce();
    const fresh = callable(instance.instance_id).filter(each => !known.has(each.tool_slug));
    const { instance_id, instance_short, dcc_type } = instance;
    return {
      ...(switches ? { success: true, group, ...answer } : answer),
      ...(names.length > 0 && { loaded: switches ? true : (answer.loaded ?? true), skill_name: names[0] }),
      ...{ dcc_type, instance_id, instance_short },
      new_tool_slugs: fresh.map(each => each.tool_slug).sort(),
      index_generation: capabilities.generation,
      ...(!deactivate && { activated_groups: switches ? [group] : texts(answer.activated_groups) }),
    };
  };

  const isLoaded = (instanceId: string, skill: string): boolean =>
    capabilities.ofInstance(instanceId).some(each => each.skill_name === skill && each.loaded);

  /** The tool that the caller came for, else the first new one, else the first of the skill. */
  const wanted = (body: Json, answer: Json, names: readonly string[]): CapabilityRecord | undefined => {
    const records = callable(String(answer.instance_id));
    const bySlug = (slug: string | undefined) => records.find(each => each.tool_slug === slug);
    return (
      bySlug(text(body.target_tool_slug)) ??
      bySlug(texts(answer.new_tool_slugs)[0]) ??
      records.find(each => each.skill_name !== null && names.includes(each.skill_name))
    );
  };

  return {
    async load(body: Json): Promise<Json> {
      const request = loadRequest(body);
      const answer = await change(body, request);
      const searchId = callMeta(body).search_id;
      if (request.deactivate) return answer;
      const tool = wanted(body, answer, request.names);
      if (!tool)
        return {
          ...answer,
          next_step: step('search', { query: request.names[0] ?? request.group ?? '' }, meta(searchId)),
        };
      const compact_schema = compactSchema(tool);
      const { missing, arguments: args } = sampleArguments(tool.input_schema);
      const ready = compact_schema.complete_for_call && isFullyHinted(tool.annotations) && missing.length === 0;
      const next_step = ready
        ? step('call', { tool_slug: tool.tool_slug, arguments: args }, meta(searchId))
        : step('describe', { tool_slug: tool.tool_slug }, meta(searchId));
      return { ...answer, ...(searchId !== undefined && { compact_schema }), next_step };
    },

    async unload(body: Json): Promise<Json> {
      const skill_name = requiredText(body, 'skill_name');
      const backend = skillTargets.choose(body, [skill_name]);
      const { instance_id, instance_short, dcc_type } = backend.instance;
      policy.checkLifecycle('unload_skill', dcc_type, [skill_name]);
      const answer = await runBuiltin(backend, 'unload_skill', { skill_name }, { skill: skill_name });
      await capabilities.refresh(instance_id);
      announce();
      return {
        ...answer,
        skill_name,
        dcc_type,
        instance_id,
        instance_short,
        index_generation: capabilities.generation,
      };
    },
  };
}

interface LoadRequest {
  names: string[];
  group: string | undefined;
  deactivate: boolean;
}

function loadRequest(body: Json): LoadRequest {
  const names = [...new Set([text(body.skill_name), ...texts(body.skill_names)])].filter(each => each !== undefined);
  const group = text(body.tool_group) ?? text(body.group_name);
  const action = body.group_action ?? 'activate';
  const refuse = (reason: string, field: string) => gatewayErrors.BAD_REQUEST({ reason, field });
  if (action !== 'activate' && action !== 'deactivate') {
    throw refuse('"group_action" must be "activate" or "deactivate"', 'group_action');
  }
  if (names.length === 0 && group === undefined) {
    throw refuse('"skill_name", "skill_names" or "tool_group" is required', 'skill_name');
  }
  if (action === 'deactivate' && group === undefined) {
    throw refuse('"tool_group" is required to deactivate a group', 'tool_group');
  }
  return { names, group, deactivate: action === 'deactivate' };
}

const groupArguments = ({ group, names }: LoadRequest): Json => ({
  group_name: group,
  ...(names[0] !== undefined && { skill_name: names[0] }),
});

const loadArguments = (body: Json, { names, group }: LoadRequest): Json => ({
  skill_name: names[0],
  ...(names.length > 1 && { skill_names: names.slice(1) }),
  ...(group !== undefined && { tool_group: group }),
  ...(typeof body.activate_groups === 'boolean' && { activate_groups: body.activate_groups }),
});

/** What a caller needs to know to fill in a call. */
function compactSchema(tool: CapabilityRecord) {
  const { tool_slug, has_schema, input_schema, annotations = {}, metadata = {} } = tool;
  const properties = (input_schema?.properties ?? {}) as Json;
  return {
    ...{ tool_slug, has_schema },
    complete_for_call: input_schema !== undefined || !has_schema,
    required: Array.isArray(input_schema?.required) ? input_schema.required : [],
    property_keys: Object.keys(properties),
    ...{ properties, annotations, metadata },
  };
}
