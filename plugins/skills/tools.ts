/** The built-in skill tools of every server (specification: Built-in tools; shape:builtin-inputs, shape:builtin-outputs). */
import { Type } from 'typebox';
import { toSvcError } from '../../kernel/index.ts';
import { cautionFor } from '../../schemas/suspect-text.ts';
import type { ToolDefinition } from '../../schemas/tool.ts';
import type { ToolCall, ToolEntry, ToolHandler, ToolsService } from '../tools/api.ts';
import type { LoadSkillsOptions, SearchSkillsInput } from './api.ts';
import { type ListSkillsInput, ListSkillsInputSchema, listSkills } from './catalog/list-skills.ts';
import { type PackageProblems, packageProblems, warningTexts } from './catalog/package-warnings.ts';
import { type RuntimeChecks, type RuntimeReport, runtimeSummary } from './catalog/runtime-checks.ts';
import { defaultSearchLimit, maxSearchLimit } from './catalog/search.ts';
import { loadedTool, skillInfo } from './catalog/skill-info.ts';
import type { MissingTool } from './packages/rejection.ts';
import type { Skills } from './service.ts';

const skillName = Type.String({ minLength: 1, description: 'Name as search_skills and list_skills show it.' });
const maxNames = 50;

const inputs = {
  search_skills: Type.Object(
    {
      query: Type.Optional(Type.String({ description: 'Keywords; empty lists the first skills by scope.' })),
      tags: Type.Optional(Type.Array(Type.String(), { description: 'Every tag must match, in any letter case.' })),
      dcc: Type.Optional(Type.String({ description: 'Only skills for this host type.' })),
      scope: Type.Optional(
        Type.Enum(['repo', 'user', 'system', 'admin'], { description: 'Only skills of this scope.' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: maxSearchLimit, default: defaultSearchLimit, description: 'Most skills.' }),
      ),
    },
    { additionalProperties: false },
  ),
  list_skills: ListSkillsInputSchema,
  get_skill_info: Type.Object({ skill_name: skillName }, { additionalProperties: false }),
  load_skill: Type.Object(
    {
      skill_name: Type.Optional(skillName),
      skill_names: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), { maxItems: maxNames, description: 'Several skills at once.' }),
      ),
      activate_groups: Type.Optional(
        Type.Boolean({ default: true, description: 'Activate every tool group of the skill.' }),
      ),
      tool_group: Type.Optional(
        Type.String({ minLength: 1, description: 'Activate this group and the default ones only.' }),
      ),
    },
    { additionalProperties: false },
  ),
  unload_skill: Type.Object({ skill_name: skillName }, { additionalProperties: false }),
};

const definition = (
  name: keyof typeof inputs,
  title: string,
  description: string,
  readOnly: boolean,
): ToolDefinition => ({
  name,
  title,
  description,
  category: 'skills',
  input_schema: inputs[name] as unknown as Record<string, unknown>,
  annotations: {
    title,
    read_only_hint: readOnly,
    destructive_hint: false,
    idempotent_hint: true,
    open_world_hint: false,
    deferred_hint: false,
  },
});

/** Definitions of the five tools; their descriptions keep to the three layers and to 500 characters. */
export const skillToolDefinitions: readonly ToolDefinition[] = [
  definition(
    'search_skills',
    'Search skills',
    'Finds skills by keyword, best match first. When to use: you need a capability and do not know which skill has ' +
      'it, loaded or not. How to use: pass two to five English words of the trade, not the sentence of the user, and ' +
      'narrow by tags, dcc or scope; then ' +
      'get_skill_info for details, or load_skill with the name to make its tools callable.',
    true,
  ),
  definition(
    'list_skills',
    'List skills',
    'Lists the discovered skills with their load status, one page at a time. When to use: you want an overview, or ' +
      'to see why a package was rejected (status=skipped). How to use: page with limit and offset=next_offset while ' +
      'truncated is true; choose columns with fields.',
    true,
  ),
  definition(
    'get_skill_info',
    'Describe a skill',
    'Returns the metadata, guidance and tool schemas of one skill. When to use: before loading a skill, or to learn ' +
      'how its tools are meant to be used. How to use: pass skill_name; nothing is loaded or executed.',
    true,
  ),
  definition(
    'load_skill',
    'Load skills',
    'Loads skills and publishes their tools. When to use: a tool you need belongs to an unloaded skill, shown as ' +
      '__skill__<name>. How to use: pass skill_name or skill_names; dependencies come along, tools/list_changed is ' +
      'sent, the answer holds the new tools. tool_group activates one group instead of all.',
    false,
  ),
  definition(
    'unload_skill',
    'Unload a skill',
    'Unloads a skill and removes its tools. When to use: its tools are no longer needed, or to start it afresh by ' +
      'loading it again. How to use: pass skill_name; skills that depend on it must be unloaded first.',
    false,
  ),
];

export function skillTools(
  skills: Skills,
  tools: Pick<ToolsService, 'list' | 'missingArgument'>,
  checks: RuntimeChecks,
): ToolEntry[] {
  const { service, catalog, loader, summarize } = skills;

  const unknown = (name: string) =>
    failure(`No skill is named "${name}". Call search_skills or list_skills for the names.`);

  const skippedRecord = async (name: string) => {
    const before = catalog.skipped().find(each => each.skill_name === name);
    if (!before) return unknown(name);
    // The record may be older than the files: nobody watches when watching is off.
    await catalog.refreshNamed(name);
    const now = catalog.skipped().find(each => each.skill_name === name);
    const stale = now?.reason_code !== before.reason_code || now.message !== before.message;
    const skipped = stale ? staleRecord(before) : before;
    return failure({ error: 'skill_skipped', message: `Skill "${name}" was rejected: ${skipped.message}`, skipped });
  };

  const problemsOf = async (name: string): Promise<PackageProblems> => {
    const found = loader.packageOf(name) ?? catalog.get(name)?.package;
    return found ? packageProblems(found, loader.warnings(name), loader.problems(name)) : { missing: [], warnings: [] };
  };

  const reportsOf = async (name: string): Promise<RuntimeReport[]> => {
    const found = catalog.get(name)?.package;
    return found ? [...(await checks.reports(found)), ...loader.problems(name).map(environmentReport)] : [];
  };

  const handlers: Record<keyof typeof inputs, ToolHandler> = {
    search_skills: args => {
      const found = service.search(args as SearchSkillsInput);
      const skipped = args.query ? [] : catalog.skipped().slice(0, 10);
      return {
        total: found.length,
        skill_total: catalog.list().length,
        skipped_count: catalog.skipped().length,
        query: args.query ?? '',
        skills: found.map(({ name, description, tool_count, loaded, dcc, scope, tags, search_hint, flags }) => ({
          ...{ name, description, tools: tool_count, loaded, dcc, scope, tags, search_hint },
          ...(flags && { flags }),
        })),
        ...cautionFor(found),
        skipped,
      };
    },
    list_skills: args => {
      const rows = catalog.list().map(each => {
        const { manifest, name } = each.package;
        const error = loader.diagnostic(name) ?? brokenError(each.broken);
        return {
          ...summarize(each),
          implicit_invocation: manifest.allow_implicit_invocation,
          ...(error && { error }),
        };
      });
      return listSkills(args as ListSkillsInput, rows, catalog.skipped(), async (row, columns) => {
        const warnings = columns.has('warnings') ? warningTexts(await problemsOf(row.name)) : [];
        const asked = columns.has('runtime') || columns.has('runtime_state');
        const runtime = asked ? runtimeSummary(await reportsOf(row.name)) : {};
        return { ...row, ...(warnings.length > 0 && { warnings }), ...runtime };
      });
    },
    get_skill_info: async args => {
      const name = catalog.nameOf(String(args.skill_name));
      const entry = catalog.get(name);
      if (!entry) return skippedRecord(name);
      const diagnostic = loader.diagnostic(name) ?? brokenError(entry.broken);
      const reports = await reportsOf(name);
      const info = skillInfo(summarize(entry), entry, catalog.isTrusted(name), diagnostic, await problemsOf(name));
      return reports.length > 0 ? { ...info, ...runtimeSummary(reports), runtimes: reports } : info;
    },
    load_skill: async (args, call) => {
      const names = [...new Set([args.skill_name, ...((args.skill_names as string[]) ?? [])])].filter(Boolean);
      if (names.length === 0) throw tools.missingArgument('load_skill', 'skill_name');
      return loadMany(names as string[], args as LoadSkillsOptions, call);
    },
    unload_skill: async (args, call) => {
      const name = catalog.nameOf(String(args.skill_name));
      let removed: number | undefined;
      try {
        removed = await loader.unload(name, call);
      } catch (error) {
        return failure(toSvcError(error).message);
      }
      if (removed === undefined && !catalog.get(name)) return unknown(name);
      return { unloaded: removed !== undefined, tools_removed: removed ?? 0 };
    },
  };

  const loadMany = async (names: readonly string[], options: LoadSkillsOptions, call: ToolCall) => {
    const newly: string[] = [];
    const already: string[] = [];
    const activated = new Map<string, readonly string[]>();
    const errors: Record<string, unknown>[] = [];
    for (const given of names) {
      const name = catalog.nameOf(given);
      try {
        const outcome = await loader.load(name, options, call);
        newly.push(...outcome.newly_loaded);
        if (outcome.newly_loaded.length === 0) already.push(name);
        activated.set(name, outcome.activated_groups);
      } catch (error) {
        const { code, message, details } = toSvcError(error);
        const { event, veto_code, veto_reason } = details;
        const vetoed = code === 'EVENT_VETOED' && { event, veto_code, veto_reason };
        errors.push({ skill_name: name, code, message, ...vetoed });
      }
    }
    const owned = new Set([...newly, ...already]);
    const callable = new Set([...owned].flatMap(loader.toolNames));
    const records = tools.list().filter(each => callable.has(each.name));
    const problems = await Promise.all([...owned].map(async skill => ({ skill, ...(await problemsOf(skill)) })));
    const missing = problems.flatMap(({ skill, missing: list }) => list.map(each => ({ skill_name: skill, ...each })));
    const warnings = problems.flatMap(({ skill, warnings: list }) =>
      list.map(({ reason_code, message }) => ({ skill_name: skill, reason_code, message })),
    );
    const groups = [...owned].flatMap(skill =>
      (loader.packageOf(skill)?.manifest.groups ?? []).map(({ name, description, tools: members, default_active }) => {
        const active = activated.get(skill)?.includes(name) ?? true;
        return { name, description, tools: members, default_active, active };
      }),
    );
    const reports = await Promise.all([...owned].map(reportsOf));
    const lost = reports.flat().filter(each => each.state === 'missing');
    const shown = records.map(loadedTool);
    const body = {
      loaded: errors.length === 0,
      partial: errors.length > 0 && owned.size > 0,
      registered_tools: records.map(each => each.name),
      tool_count: records.length,
      newly_loaded: newly,
      already_loaded: already.filter(each => !newly.includes(each)),
      available_groups: groups,
      activated_groups: groups.filter(each => each.active).map(each => each.name),
      tools: shown,
      ...cautionFor(shown),
      ...(missing.length > 0 && { missing_tools: missing }),
      ...(lost.length > 0 && { missing_runtimes: lost }),
      ...(warnings.length > 0 && { warnings }),
      ...(errors.length > 0 && { errors }),
    };
    return owned.size === 0 ? failure(body) : body;
  };

  return skillToolDefinitions.map(each => ({
    definition: each,
    handler: handlers[each.name as keyof typeof inputs],
  }));
}

function failure(value: string | Record<string, unknown>) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    content: [{ type: 'text', text }],
    ...(typeof value !== 'string' && { structuredContent: value }),
    isError: true,
  };
}

const environmentReport = ({ name, reason_code, message }: MissingTool): RuntimeReport => ({
  name: `Python of ${name}`,
  type: 'python_environment',
  state: reason_code === 'python_preparing' ? 'degraded' : 'missing',
  description: message,
});

const brokenError = (broken: { reason_code: string; message: string } | undefined) =>
  broken && { error_kind: broken.reason_code, error_message: broken.message };

const staleRecord = <T extends object>(record: T) => ({
  ...record,
  reason_code: 'stale_skip_record',
  message: 'the directory changed after it was rejected',
  suggested_fix: 'Ask again: the directory has been read anew.',
});
