/** POST /v1/load_skill and /v1/unload_skill: skills and tool groups of one instance (shape:load). */

import { type Json, text, texts } from '../../schemas/loose.ts';
import { onBehalf } from '../../schemas/on-behalf.ts';
import type { Instance } from '../instances/api.ts';
import type { Caller } from './api.ts';
import { runBuiltin } from './backend-tools.ts';
import type { Backend } from './backends/api.ts';
import { recordOf } from './builtin-target.ts';
import type { CallEvents, PassingCall } from './call-events.ts';
import { reportsFailure } from './call-result.ts';
import { gatewayErrors } from './errors.ts';
import type { CapabilityRecord } from './index/api.ts';
import { checkLease } from './leases.ts';
import { activationArguments, isFullyHinted, rankerVersion, step } from './next-step.ts';
import type { Parts } from './parts.ts';
import { callMeta, requiredText } from './requests.ts';
import { sampleArguments } from './sample.ts';
import type { SkillTargets } from './skill-target.ts';
import type { Targets } from './target.ts';

export function createLifecycle(parts: Parts, targets: Targets, skillTargets: SkillTargets, events: CallEvents) {
  const { capabilities, policy, kernel } = parts;
  const callable = (instanceId: string): CapabilityRecord[] =>
    capabilities.ofInstance(instanceId).filter(each => each.loaded && each.group_active);

  /** The instance's tools are read again, and clients are told that what they can call has changed. */
  const changed = async ({ instance_id, instance_short, dcc_type }: Instance) => {
    await capabilities.refresh(instance_id);
    kernel.bus.emit('tools.list_changed');
    return { dcc_type, instance_id, instance_short, index_generation: capabilities.generation };
  };

  /** Runs a built-in of an instance, if it may, and tells of it as of any call. */
  const run = async (
    { backend, body, caller, names }: Asked,
    operation: string,
    tool: string,
    args: Json,
    group?: string,
  ) => {
    const { instance } = backend;
    const record = recordOf({ name: tool, about: 'skills', reads: false }, instance);
    const meta = callMeta(body);
    const route = tool === 'unload_skill' ? tool : 'load_skill';
    const call: PassingCall = { route, slug: record.tool_slug, args, meta, caller, began: performance.now(), record };
    let answer: Json;
    try {
      policy.checkLifecycle(operation, instance.dcc_type, names);
      checkLease(instance, meta, kernel.ids.now());
      const known = capabilities.ofInstance(instance.instance_id);
      if (tool === 'load_skill') await events.loading(call, names, known);
      else if (tool === 'unload_skill') await events.unloading(call, names, known);
      const asked = events.dispatch(call);
      if (asked) await asked;
      const about = { skill: names[0], group, meta: askedFor(caller, meta) };
      answer = await runBuiltin(backend, tool, args, about).catch((error: unknown) => {
        if (tool === 'load_skill') events.loadFailed(call, names, known, error);
        throw error;
      });
      events.ended(call, !reportsFailure(answer));
    } catch (error) {
      events.failed(call, error);
      throw error;
    }
    const place = await changed(instance);
    const known = capabilities.ofInstance(instance.instance_id);
    await events.skillsChanged(call, tool, names, known, { ...answer, failed: reportsFailure(answer) });
    return { answer, place };
  };

  /** Runs the built-in that the request means. */
  const change = async (body: Json, caller: Caller, { names, group, deactivate }: LoadRequest) => {
    const backend = skillTargets.choose(body, names);
    const { instance } = backend;
    const own = group !== undefined && (deactivate || names.length === 0);
    const known = new Set(callable(instance.instance_id).map(each => each.tool_slug));
    const switches =
      own || (group !== undefined && names.length > 0 && names.every(name => isLoaded(instance.instance_id, name)));
    const [tool, args] = !switches
      ? ['load_skill', loadArguments(body, names, group)]
      : [`${deactivate ? 'de' : ''}activate_tool_group`, { group_name: group, skill_name: names[0] }];
    const asked = { backend, body, caller, names };
    const { answer, place } = await run(asked, own ? 'group' : 'load_skill', tool, args, group);
    const fresh = callable(instance.instance_id).filter(each => !known.has(each.tool_slug));
    return {
      ...(switches ? { success: true, group, ...answer } : answer),
      ...(names.length > 0 && { loaded: switches ? true : (answer.loaded ?? true), skill_name: names[0] }),
      ...place,
      new_tool_slugs: fresh.map(each => each.tool_slug).sort(),
      ...(!deactivate && { activated_groups: switches ? [group] : texts(answer.activated_groups) }),
    };
  };

  /** A request that names a tool and nothing to load is for what that tool needs. */
  const withOwner = async (body: Json): Promise<Json> => {
    const slug = text(body.tool_slug);
    if (slug === undefined) return body;
    const { record } = await targets.find(slug);
    return { ...activationArguments(record), ...body, target_tool_slug: record.tool_slug };
  };

  const isLoaded = (instanceId: string, skill: string): boolean =>
    capabilities.ofInstance(instanceId).some(each => each.skill_name === skill && each.loaded);

  return {
    async load(given: Json, caller: Caller): Promise<Json> {
      const body = await withOwner(given);
      const request = loadRequest(body);
      const answer = await change(body, caller, request);
      if (request.deactivate) return answer;
      const { search_id } = callMeta(body);
      const { generation: index_generation } = capabilities;
      const meta = { search_id: text(search_id), ranker_version: rankerVersion, index_generation };
      const { names, group } = request;
      const records = callable(answer.instance_id);
      const bySlug = (slug: string | undefined) => records.find(each => each.tool_slug === slug);
      // The tool that the caller came for, else the first new one, else the first of the skill.
      const tool =
        bySlug(text(body.target_tool_slug)) ??
        bySlug(answer.new_tool_slugs[0]) ??
        records.find(each => each.skill_name !== null && names.includes(each.skill_name));
      if (!tool) return { ...answer, next_step: step('search', { query: names[0] ?? group ?? '' }, meta) };
      const { tool_slug } = tool;
      const compact_schema = compactSchema(tool);
      const { missing, arguments: args } = sampleArguments(tool.input_schema);
      const ready = compact_schema.complete_for_call && isFullyHinted(tool.annotations) && missing.length === 0;
      const next_step = ready
        ? step('call', { tool_slug, arguments: args }, meta)
        : step('describe', { tool_slug }, meta);
      const { input_schema } = tool;
      if (text(given.tool_slug) !== undefined) return { ...answer, compact_schema, input_schema, next_step };
      return { ...answer, ...(search_id !== undefined && { compact_schema }), next_step };
    },

    async unload(body: Json, caller: Caller): Promise<Json> {
      const skill_name = requiredText(body, 'skill_name');
      const backend = skillTargets.choose(body, [skill_name]);
      const asked = { backend, body, caller, names: [skill_name] };
      const { answer, place } = await run(asked, 'unload_skill', 'unload_skill', { skill_name });
      return { ...answer, skill_name, ...place };
    },
  };
}

/** What an instance is told of who asks: its hooks and its events go by it. */
const askedFor = ({ client, traceparent }: Caller, { agent_context }: Json): Json | undefined =>
  onBehalf(
    { ...(traceparent !== undefined && { traceparent }), ...(agent_context !== undefined && { agent_context }) },
    { name: client },
  );

/** Who asks what of which instance. */
interface Asked {
  backend: Backend;
  body: Json;
  caller: Caller;
  /** The skills that it is about. */
  names: readonly string[];
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
    throw refuse(
      '"tool_slug" of a skill\'s tool, "skill_name", "skill_names" or "tool_group" is required',
      'skill_name',
    );
  }
  if (action === 'deactivate' && group === undefined) {
    throw refuse('"tool_group" is required to deactivate a group', 'tool_group');
  }
  return { names, group, deactivate: action === 'deactivate' };
}

const loadArguments = ({ activate_groups }: Json, names: readonly string[], group: string | undefined): Json => ({
  skill_name: names[0],
  ...(names.length > 1 && { skill_names: names.slice(1) }),
  ...(group !== undefined && { tool_group: group }),
  ...(typeof activate_groups === 'boolean' && { activate_groups }),
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
