/** One tool in full, with its schema from the instance, or one skill (shape:describe). */

import { messageOf } from '../../kernel/index.ts';
import { revealedDeep } from '../../schemas/hidden-text.ts';
import { isObject, type Json, text } from '../../schemas/loose.ts';
import { cautionFor } from '../../schemas/suspect-text.ts';
import { runBuiltin } from './backend-tools.ts';
import { gatewayErrors } from './errors.ts';
import type { CapabilityRecord } from './index/api.ts';
import { nextStep, rankerVersion, type StepMeta, step } from './next-step.ts';
import type { Parts } from './parts.ts';
import { callMeta, requiredText } from './requests.ts';
import { sampleArguments } from './sample.ts';
import { shown } from './search.ts';
import type { SkillTargets } from './skill-target.ts';
import type { Target, Targets } from './target.ts';

interface Schemas {
  input: Json;
  output?: Json | undefined;
  description?: string | undefined;
}

export function createDescribe({ capabilities, policy }: Parts, targets: Targets, skillTargets: SkillTargets) {
  const skill = async (body: Json): Promise<Json> => {
    const skill_name = requiredText(body, 'skill_name');
    const backend = skillTargets.choose(body, [skill_name]);
    policy.checkShown(backend.instance.dcc_type, skill_name);
    const info = await runBuiltin(backend, 'get_skill_info', { skill_name }, { idempotent: true, skill: skill_name });
    const { instance_id, instance_short, dcc_type } = backend.instance;
    return { ...revealedDeep(info), instance_id, instance_short, dcc_type };
  };

  return async (body: Json): Promise<Json> => {
    if (text(body.tool_slug) === undefined && text(body.skill_name) !== undefined) return skill(body);
    const target = await targets.find(requiredText(body, 'tool_slug'));
    const { record } = target;
    if (!target.builtin) policy.checkShown(record.dcc_type, record.skill_name ?? undefined);
    const schemas = await schemasOf(target);
    const { search_id } = callMeta(body);
    const meta = { ranker_version: rankerVersion, index_generation: capabilities.generation };
    const next = nextOf(record, schemas.input, { search_id: text(search_id), ...meta });
    return {
      record: shownRecord(record),
      tool: toolOf(record, schemas, body.include_schema !== false),
      ...cautionFor([record]),
      ...(search_id !== undefined && next && { next_step: next }),
    };
  };
}

/** What the MCP tool adds for a model that reads the schema to fill in a call. */
export function explained(answer: Json): Json {
  const { tool, record } = answer;
  if (!isObject(tool) || !isObject(record)) return answer;
  const schema = isObject(tool.inputSchema) ? tool.inputSchema : {};
  const { missing } = sampleArguments(schema);
  const ready = record.callable === true;
  const choose = missing.length > 0 ? `; choose ${missing.join(', ')}` : '';
  const hint = ready
    ? `Call it with tool_slug ${String(record.tool_slug)} and arguments that fit input_schema${choose}.`
    : 'It cannot be called yet: send next_step (load_skill) first.';
  return {
    ...answer,
    input_schema: schema,
    required: Array.isArray(schema.required) ? schema.required : [],
    properties: isObject(schema.properties) ? Object.keys(schema.properties) : [],
    hint,
  };
}

/** The step after a description: load what is not loaded, or the call, when it can be sent without choosing anything. */
function nextOf(record: CapabilityRecord, schema: Json, meta: StepMeta): Json | undefined {
  if (!record.loaded || !record.group_active) return nextStep(record, meta);
  const sample = sampleArguments(schema);
  if (sample.missing.length > 0 || record.discovery_only) return undefined;
  return step('call', { tool_slug: record.tool_slug, arguments: sample.arguments }, meta);
}

function shownRecord(record: CapabilityRecord): Json {
  const { rank, score, match_reasons, ...rest } = shown({ ...record, rank: 0, score: 0, match_reasons: [] });
  return rest;
}

function toolOf(record: CapabilityRecord, schemas: Schemas, withSchema: boolean): Json {
  const { backend_tool, description, summary, annotations = {}, metadata, tool_slug, dcc_type, instance_id } = record;
  return {
    name: backend_tool,
    description: schemas.description ?? (description || summary),
    ...(withSchema && { inputSchema: schemas.input }),
    ...(withSchema && schemas.output && { outputSchema: schemas.output }),
    annotations,
    _meta: { dcc: { tool_slug, dcc_type, instance_id, ...metadata } },
  };
}

/** From the index when it has them, else from the instance itself. */
async function schemasOf({ record, backend }: Target): Promise<Schemas> {
  if (record.input_schema) return { input: record.input_schema, output: record.output_schema };
  if (!record.has_schema && record.loaded) return { input: { type: 'object' } };
  const unavailable = (reason: string, cause?: unknown) =>
    gatewayErrors.SCHEMA_UNAVAILABLE({ slug: record.tool_slug, reason }, cause);
  let tool: Json | undefined;
  try {
    tool =
      record.loaded || record.skill_name === null
        ? await listedTool({ record, backend })
        : await declaredTool({ record, backend });
  } catch (error) {
    throw unavailable(messageOf(error), error);
  }
  tool = revealedDeep(tool);
  const input = tool?.input_schema ?? tool?.inputSchema;
  if (!isObject(input)) throw unavailable('it lists no such tool');
  const output = tool?.output_schema ?? tool?.outputSchema;
  return { input, output: isObject(output) ? output : undefined, description: text(tool?.description) };
}

/** Pages of a tool list that are looked through. */
const mostPages = 100;

type Owned = Pick<Target, 'record' | 'backend'>;

/** From what the instance lists. */
async function listedTool({ record, backend }: Owned): Promise<Json | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await backend.request('tools/list', params, { idempotent: true });
    const { tools, nextCursor } = isObject(answer) ? answer : ({} as Json);
    const found = Array.isArray(tools)
      ? tools.find(each => isObject(each) && each.name === record.backend_tool)
      : undefined;
    if (found) return found as Json;
    cursor = text(nextCursor);
    if (cursor === undefined) return undefined;
  }
  return undefined;
}

/** From the declaration of a skill that is not loaded. */
async function declaredTool({ record, backend }: Owned): Promise<Json | undefined> {
  const info = await runBuiltin(backend, 'get_skill_info', { skill_name: record.skill_name }, { idempotent: true });
  const tools = Array.isArray(info.tools) ? info.tools.filter(isObject) : [];
  const names = [record.backend_tool, record.backend_tool.split('__').at(-1)];
  return tools.find(each => names.includes(String(each.name)));
}
