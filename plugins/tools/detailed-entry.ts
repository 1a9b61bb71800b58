/**
 * Tools as a gateway asks for them (`params._meta.dcc.capabilities`): every tool that is no built-in, collapsed groups
 * included, each with what the table knows beyond MCP under `_meta.dcc`. Other clients get none of these bytes.
 */
import type { JsonSchema } from '../../kernel/index.ts';
import { toolEntry } from './entry.ts';
import type { RegisteredTool } from './tool-table.ts';

export function asksForDetails(meta: unknown): boolean {
  const dcc = (meta as { dcc?: { capabilities?: unknown } | null } | null | undefined)?.dcc;
  return typeof dcc === 'object' && dcc !== null && dcc.capabilities === true;
}

export function detailedEntry(tool: RegisteredTool, outputSchema: JsonSchema | undefined): Record<string, unknown> {
  const { record, group, handler } = tool;
  const { metadata } = record;
  const details = {
    action: record.action,
    skill_name: record.skill_name,
    tags: record.tags.length > 0 ? record.tags : undefined,
    aliases: metadata.search_aliases,
    group: record.group === '' ? undefined : record.group,
    group_active: group?.active === false ? false : undefined,
    executable: handler === undefined ? false : undefined,
    affinity: record.affinity,
    execution: record.execution ?? 'sync',
    timeoutHintSecs: record.timeout_hint_secs,
    jobStrategy: metadata.job_strategy,
    enforceThreadAffinity: record.enforce_thread_affinity || undefined,
    risk: metadata.risk,
    toolRole: metadata.tool_role,
    flags: metadata.flags,
    // The declared one, where another is listed: what was approved is what the author wrote.
    outputSchema: outputSchema === record.output_schema ? undefined : record.output_schema,
  };
  return { ...toolEntry(record, 'titled', outputSchema), _meta: { dcc: details } };
}
