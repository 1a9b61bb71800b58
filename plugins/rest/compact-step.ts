/** Next steps in compact answers: a verb for the tool_slug beside it, or what can be sent as it stands. Pure. */
import { isObject, type Json, objectOf } from '../../schemas/loose.ts';
import type { CompactForm } from './api.ts';

/** How an answer is looked at: through which door, and what the request said. */
export interface Look {
  readonly door: CompactForm['door'];
  readonly asked: Json;
  /** Members of the full form that it wants besides. */
  readonly fields: readonly string[];
}

/** What is to be done with the tool_slug that stands beside it. */
export const verbOf = (step: unknown): unknown => objectOf(step).action;

/** `{<tool>: <arguments>}` over MCP, `{"POST /v1/<operation>": <body>}` over REST: the least that does it. */
export function sendable(step: Json, door: CompactForm['door']): Json {
  const { meta, target_tool_slug, ...args } = objectOf(step.arguments);
  const verb = String(step.action);
  // The slug says which instance, skill and group are meant.
  const least = target_tool_slug === undefined ? args : { tool_slug: target_tool_slug };
  return { [door === 'mcp' ? verb : `POST /v1/${verb}`]: least };
}

/** Without members that say nothing. */
export const withoutEmpty = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => !isEmpty(each)));

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
