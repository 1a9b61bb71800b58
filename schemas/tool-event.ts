/** What a tool event carries, whether an instance tells it or a gateway (specification: Built-in events). Pure. */
import { type Json, objectOf, text } from './loose.ts';
import { withoutSecrets } from './redaction.ts';

export type ToolEvent = {
  /** `<dcc>.<skill>.<action>` of an instance; through a gateway the slug that was called. */
  tool_slug: string;
  tool_name: string;
  dcc_type?: string;
  skill_name?: string;
  group?: string;
  annotations?: object;
  /** Why the caller makes the call, where it says so. */
  rationale?: string;
};

export type ToolEnd = ToolEvent & { duration_ms: number; result_success: boolean };

export type ToolFailure = ToolEnd & {
  /** A `ToolErrorKind`; of a gateway also the kind of its own refusal, such as `instance-offline`. */
  error_kind: string;
  error_message: string;
  /** Of a policy hook that forbade it. */
  veto_code?: unknown;
  veto_reason?: unknown;
};

export type ToolErrorKind =
  | 'handler_not_found'
  | 'metadata_not_found'
  | 'validation_failed'
  | 'handler_error'
  | 'action_disabled'
  | 'thread_affinity_violation'
  | 'event_vetoed';

/**
 * Key of the arguments in the attributes of `tool.completed` and `tool.failed`. A registered symbol: subscribers in the
 * process may look, while JSON (webhooks, captures) and structured clones (ports) never carry it.
 */
export const callArguments = Symbol.for('svc.tool.arguments');

/** Milliseconds since a monotonic start, to the microsecond. */
export const sinceMs = (began: number): number => Math.round((performance.now() - began) * 1000) / 1000;

/** As much of a text as a person reads. */
const longestText = 65_536;

/** A text of a caller, a tool or a hook as an event carries it: events go to logs, files and other machines. */
export const toldText = (given: string): string => withoutSecrets(given.slice(0, longestText));

/** What only a failure says; `details` are those of its error. */
export function failureAttributes(error_kind: string, message: string, { veto_code, veto_reason }: Json) {
  const reason = typeof veto_reason === 'string' ? toldText(veto_reason) : veto_reason;
  const vetoed = error_kind === 'event_vetoed' && { veto_code, veto_reason: reason };
  return { error_kind, error_message: toldText(message), ...vetoed };
}

/** Adds to a correlation who calls, as it says itself: the name of its program, the id of its agent. */
export function addCaller(correlation: Json, clientName: unknown, meta: Json): void {
  const client = text(clientName);
  if (client !== undefined) correlation.client = client;
  if (meta.agent_context === undefined) return;
  const agent = text(objectOf(meta.agent_context).agent_id);
  if (agent !== undefined) correlation.agent_id = agent;
}
