/** How a tool looks in tools/list, per protocol revision (shape:builtin-inputs, shape:builtin-outputs; MCP feature matrix). Pure. */
import type { JsonSchema } from '../../kernel/index.ts';
import type { ToolAnnotations } from '../../schemas/tool.ts';
import type { ToolRecord, ToolStub } from './api.ts';

/** Members of an entry by revision: titles and output schemas from 2025-06-18, icons from 2025-11-25. */
export type EntryShape = 'plain' | 'titled' | 'iconic';

export function shapeOf(protocolVersion: string): EntryShape {
  if (protocolVersion >= '2025-11-25') return 'iconic';
  return protocolVersion >= '2025-06-18' ? 'titled' : 'plain';
}

export function toolEntry(
  record: ToolRecord,
  shape: EntryShape,
  outputSchema: JsonSchema | undefined,
): Record<string, unknown> {
  const title = record.title ?? record.annotations.title;
  return {
    name: record.name,
    ...(shape !== 'plain' && title !== undefined && { title }),
    description: record.description,
    inputSchema: record.input_schema,
    ...(shape !== 'plain' && outputSchema && { outputSchema }),
    annotations: wireAnnotations(record.annotations),
    ...(shape === 'iconic' && record.icons && record.icons.length > 0 && { icons: record.icons }),
    ...(record.execution === 'async' && { _meta: { dcc: backgroundHints(record) } }),
  };
}

/** That a call becomes a job, and how long that may take. */
const backgroundHints = ({ execution, timeout_hint_secs }: ToolRecord): Record<string, unknown> => ({
  execution,
  deferred_hint: true,
  ...(timeout_hint_secs !== undefined && { timeoutHintSecs: timeout_hint_secs }),
});

/** A placeholder: something that can become tools. Every revision demands the minimal schema. */
export function stubEntry({ name, description }: ToolStub): Record<string, unknown> {
  return {
    name,
    description: oneLine(description),
    inputSchema: { type: 'object' },
    annotations: { deferredHint: true },
  };
}

/** Annotations in MCP's spelling; `deferredHint` is ours. */
export function wireAnnotations(annotations: ToolAnnotations): Record<string, unknown> {
  const { title, read_only_hint, destructive_hint, idempotent_hint, open_world_hint, deferred_hint } = annotations;
  return {
    ...(title !== undefined && { title }),
    ...(read_only_hint !== undefined && { readOnlyHint: read_only_hint }),
    ...(destructive_hint !== undefined && { destructiveHint: destructive_hint }),
    ...(idempotent_hint !== undefined && { idempotentHint: idempotent_hint }),
    ...(open_world_hint !== undefined && { openWorldHint: open_world_hint }),
    deferredHint: deferred_hint ?? false,
  };
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
