/** What an instance does behind `/v1`: its own tools and skills, by slug (shape:family). */
import { isObject, type Json, text, texts } from '../../../schemas/loose.ts';
import { cautionFor } from '../../../schemas/suspect-text.ts';
import { toolFingerprint } from '../../../schemas/tool-fingerprint.ts';
import type { SkillsService } from '../../skills/api.ts';
import type { ToolResult, ToolsService } from '../../tools/api.ts';
import type { BatchDeps, CallAnswer, RestCaller, RestRoutes, RestService } from '../api.ts';
import { restErrors } from '../errors.ts';
import { callArguments, callMeta, requiredText } from '../requests.ts';
import { type Capabilities, nextStep } from './capabilities.ts';
import { refusalOf } from './envelope.ts';
import { createCapabilitySearch } from './search.ts';

export interface InstanceServiceDeps {
  tools: ToolsService;
  skills: Pick<SkillsService, 'list'>;
  capabilities: Capabilities;
  batch: RestRoutes['batch'];
  /** Throws while the host cannot take calls. */
  checkReady(): void;
}

export function createInstanceService(deps: InstanceServiceDeps): RestService {
  const { tools, capabilities, batch, checkReady } = deps;
  const search = createCapabilitySearch(deps);

  /** Runs a built-in tool; its structured answer, or the failure that it reports. */
  const builtin = async (name: string, args: Json): Promise<Json> => {
    const result = await tools.call({ name, args });
    const body = result.structuredContent;
    if (!result.isError && isObject(body)) return body;
    throw lifecycleFailure(result, String(args.skill_name ?? ''));
  };

  const call = async (body: Json, { requestId, signal, trace, http }: RestCaller): Promise<CallAnswer> => {
    const slug = requiredText(body, 'tool_slug');
    checkReady();
    const [args, given] = [callArguments(body), callMeta(body)];
    const { name } = capabilities.find(slug);
    const meta = trace ? { ...given, ...trace } : given;
    const result = await tools.call({ name, args, meta, http, signal });
    const output = outputOf(result);
    const failed = result.isError === true;
    const answer = { slug, output, validation_skipped: false, ...(failed && { is_error: true }) };
    return { text: JSON.stringify({ ...answer, request_id: requestId }), failed, accepted: isReceipt(output) };
  };

  const inOrder: BatchDeps<RestCaller> = {
    call,
    refusal: error => refusalOf(error, '').body,
    messageOf: ({ output }) => String((isObject(output) && output.message) || 'the tool reported a failure'),
  };
  const callBatch = batch(inOrder);

  return {
    call,
    callBatch: async (body, caller) => ({ ...(await callBatch(body, caller)), request_id: caller.requestId }),

    async search(body, { requestId }) {
      const hits = (await search(body)).map(hit => ({ ...hit, next_step: nextStep(hit) }));
      return { total: hits.length, hits, ...cautionFor(hits), request_id: requestId };
    },

    async describe(body, { requestId }) {
      const tool = capabilities.find(requiredText(body, 'tool_slug'));
      const { annotations, metadata, ...entry } = capabilities.loadedRow(tool, capabilities.scopes());
      return {
        entry,
        description: tool.description,
        fingerprint: toolFingerprint({ ...tool, name: tool.action }),
        ...(body.include_schema !== false && {
          input_schema: tool.input_schema,
          ...(tool.output_schema && { output_schema: tool.output_schema }),
        }),
        annotations: annotations ?? {},
        ...(metadata && { metadata }),
        ...cautionFor([entry]),
        request_id: requestId,
      };
    },

    async loadSkill(body, { requestId: request_id }) {
      const group = text(body.tool_group) ?? text(body.group_name);
      const slug = text(body.tool_slug);
      const named = text(body.skill_name) ?? (slug === undefined ? undefined : capabilities.skillOf(slug));
      const names = [...new Set([named, ...texts(body.skill_names)])].filter(each => each !== undefined);
      const deactivate = body.group_action === 'deactivate';
      if (group !== undefined && (names.length === 0 || deactivate)) {
        const change = deactivate ? tools.deactivateGroup : tools.activateGroup;
        return { success: true, group, ...change(group, names[0]), request_id };
      }
      if (names.length === 0) throw restErrors.BAD_REQUEST({ reason: '"skill_name" is required', field: 'skill_name' });
      const loaded = await builtin('load_skill', loadArguments(names, group, body));
      const fresh = new Set(texts(loaded.newly_loaded));
      const slugs = tools.list().filter(each => each.skill_name !== undefined && fresh.has(each.skill_name));
      const new_tool_slugs = slugs.map(capabilities.slug).sort();
      return { ...loaded, skill_name: names[0], new_tool_slugs, request_id };
    },

    async unloadSkill(body, { requestId }) {
      const skill_name = requiredText(body, 'skill_name');
      return { ...(await builtin('unload_skill', { skill_name })), skill_name, request_id: requestId };
    },

    skills() {
      const skills = capabilities.rows().map(({ slug, skill, action, dcc, summary, loaded, scope }) => ({
        ...{ slug, skill, action, dcc, summary, loaded, scope },
      }));
      return { total: skills.length, skills };
    },
  };
}

const loadArguments = (names: readonly string[], group: string | undefined, body: Json): Json => ({
  skill_name: names[0],
  ...(names.length > 1 && { skill_names: names.slice(1) }),
  ...(group !== undefined && { tool_group: group }),
  ...(typeof body.activate_groups === 'boolean' && { activate_groups: body.activate_groups }),
});

function lifecycleFailure({ structuredContent, content }: ToolResult, skill: string): Error {
  const body = isObject(structuredContent) ? structuredContent : {};
  const errors = Array.isArray(body.errors) ? body.errors.filter(isObject) : [];
  const reason = String(errors[0]?.message ?? body.message ?? content[0]?.text ?? 'it reported no reason');
  const missing = errors[0]?.code === 'SVC_SKILLS_NOT_FOUND' || reason.startsWith('No skill is named');
  const details = { skill, reason, ...(errors.length > 0 && { errors }) };
  return missing ? restErrors.SKILL_NOT_FOUND(details) : restErrors.LIFECYCLE(details);
}

/** What the tool returned: its structured answer, the value of its only text, or the content items. */
function outputOf({ structuredContent, content }: ToolResult): unknown {
  if (structuredContent !== undefined) return structuredContent;
  const [only] = content;
  return content.length === 1 && only?.type === 'text' ? only.text : content;
}

/** The receipt of a background job. */
const isReceipt = (output: unknown): boolean =>
  isObject(output) && typeof output.job_id === 'string' && output.status === 'pending' && 'parent_job_id' in output;
