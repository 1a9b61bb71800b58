/** Definitions of built-in tools, all in one form. */
import type { ToolAnnotations, ToolDefinition } from './tool.ts';

type Schema = Record<string, unknown>;

/** A strict object schema. */
export const parameters = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

/** Hints of a tool that only looks. */
export const reads = { read_only_hint: true, destructive_hint: false, idempotent_hint: true, open_world_hint: false };

/** `description` says what the tool does, when to use it, and how. */
export const builtin = (
  name: string,
  title: string,
  description: readonly string[],
  input_schema: Schema,
  hints: ToolAnnotations = reads,
): ToolDefinition => ({
  name,
  title,
  description: description.join(' '),
  annotations: { ...hints, title },
  input_schema,
});
