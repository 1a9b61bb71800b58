/** What this gateway lets through: allowlists and read-only mode (shape:envelope). Pure. */
import type { Json } from '../../schemas/loose.ts';
import type { Builtin } from './builtins.ts';
import type { Settings } from './config.ts';
import { gatewayErrors } from './errors.ts';
import type { CapabilityRecord } from './index/api.ts';

export type PolicyConfig = Pick<
  Settings,
  'gateway_read_only' | 'gateway_allowed_dcc_types' | 'gateway_allowed_skills' | 'gateway_allowed_tools'
>;

export type Policy = ReturnType<typeof createPolicy>;

export function createPolicy(config: PolicyConfig) {
  const readOnly = config.gateway_read_only;
  const hosts = lowered(config.gateway_allowed_dcc_types);
  const skills = lowered(config.gateway_allowed_skills);
  const tools = lowered(config.gateway_allowed_tools);

  const problem = (record: CapabilityRecord): string | undefined => {
    if (!passes(hosts, record.dcc_type)) return `the host type ${record.dcc_type} is not on the allowlist`;
    if (skills.size > 0 && !passes(skills, record.skill_name ?? '')) return 'its skill is not on the allowlist';
    if (
      tools.size > 0 &&
      ![record.tool_slug, record.backend_tool, record.callable_id].some(each => passes(tools, each))
    )
      return 'the tool is not on the allowlist';
    if (readOnly && record.annotations?.readOnlyHint !== true) {
      return 'this gateway is read-only, and the tool does not say that it only reads';
    }
    return undefined;
  };

  const denied = (reason: string, operation: string, about: Json) =>
    gatewayErrors.POLICY_DENIED({
      ...{ reason, operation },
      policy: {
        ...{ reason, operation, read_only: readOnly },
        ...{ dcc_type: null, skill_name: null, tool_slug: null, ...about },
      },
    });

  const checkSkills = (operation: string, dcc_type: string, names: readonly string[], changes: boolean): void => {
    const about = { dcc_type, skill_name: names[0] ?? null };
    if (readOnly && changes) throw denied('this gateway is read-only', operation, about);
    if (!passes(hosts, dcc_type)) throw denied(`the host type ${dcc_type} is not on the allowlist`, operation, about);
    const refused = names.find(each => !passes(skills, each));
    if (refused !== undefined) throw denied(`the skill ${refused} is not on the allowlist`, operation, about);
  };

  return {
    /** Whether anything is restricted at all. */
    restricts: readOnly || hosts.size > 0 || skills.size > 0 || tools.size > 0,
    /** Whether a record is shown and may be called. */
    allows: (record: CapabilityRecord): boolean => problem(record) === undefined,
    /** Whether a skill of a host type is shown. */
    allowsSkill: (dcc_type: string, skill: string): boolean => passes(hosts, dcc_type) && passes(skills, skill),
    /** Throws SVC_GATEWAY_POLICY_DENIED where it is not, for a description. */
    checkShown(dcc_type: string, skill: string | undefined): void {
      const about = { dcc_type, skill_name: skill ?? null };
      if (!passes(hosts, dcc_type))
        throw denied(`the host type ${dcc_type} is not on the allowlist`, 'describe', about);
      if (!passes(skills, skill ?? '')) throw denied('the skill is not on the allowlist', 'describe', about);
    },
    /** Throws SVC_GATEWAY_POLICY_DENIED for a call that is not allowed. */
    checkCall(record: CapabilityRecord): void {
      const reason = problem(record);
      if (reason === undefined) return;
      const { dcc_type, skill_name, tool_slug } = record;
      throw denied(reason, 'call', { dcc_type, skill_name, tool_slug });
    },
    /** The same for loading, unloading and switching groups; `names` of skills may be none. */
    checkLifecycle: (operation: string, dcc_type: string, names: readonly string[]): void =>
      checkSkills(operation, dcc_type, names, true),
    /** The same for what is about an instance as a whole. */
    checkHost: (operation: string, dcc_type: string): void => checkSkills(operation, dcc_type, [], false),
    /** The same for a built-in: it belongs to no skill, and what counts is what it does to skills or tells of them. */
    checkBuiltin({ dcc_type }: CapabilityRecord, { name, about, reads }: Builtin, names: readonly string[]): void {
      checkSkills(name, dcc_type, names, !reads);
      const tellsAll = (about === 'skills' || about === 'tools') && names.length === 0;
      if (!tellsAll || skills.size + tools.size === 0) return;
      const reason = 'it is about more than what is on the allowlist';
      throw denied(reason, name, { dcc_type });
    },
  };
}

const lowered = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(each => each.toLowerCase()));

const passes = (allowed: ReadonlySet<string>, name: string): boolean =>
  allowed.size === 0 || allowed.has(name.toLowerCase());
