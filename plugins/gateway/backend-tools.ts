/** The built-in tools of an instance, as the gateway uses them for skills: structured answers, failures in the gateway's words. */

import type { ErrorDetails, SvcError } from '../../kernel/index.ts';
import { isObject, type Json } from '../../schemas/loose.ts';
import { backendFailure, refusalNamed } from './backend-failure.ts';
import type { Abortable, Backend } from './backends/api.ts';
import { messageOfResult, structuredOf } from './call-result.ts';
import { gatewayErrors } from './errors.ts';

export interface RunOptions {
  /** The tool only reads: it may be sent again. */
  idempotent?: boolean;
  signal?: Abortable | undefined;
  /** `_meta`: of the request that it is part of, and who stands behind it; what the gateway does by itself has none. */
  meta?: Json | undefined;
  /** What the call is about, for the message of a failure. */
  skill?: string | undefined;
  group?: string | undefined;
}

/** The structured answer of a built-in; throws SVC_GATEWAY_* or the connection's error. */
export async function runBuiltin(backend: Backend, name: string, args: Json, options: RunOptions = {}): Promise<Json> {
  const { idempotent = false, signal, meta, skill = '', group = '' } = options;
  const instance = backend.instance.instance_short;
  const about = { skill, group, instance, where: `instance ${instance}` };
  let result: unknown;
  try {
    const params = { name, arguments: args, ...(meta && { _meta: meta }) };
    result = await backend.request('tools/call', params, { idempotent, signal });
  } catch (error) {
    throw classified(backendFailure(error, backend.instance, about), about);
  }
  const answer = isObject(result) ? result : {};
  if (answer.isError !== true) return structuredOf(answer) ?? {};
  throw lifecycleFailure(answer, about);
}

/** What a failed result says: by its code or kind where it has one, otherwise by its words. */
function lifecycleFailure(result: Json, about: ErrorDetails): SvcError {
  const body = structuredOf(result) ?? {};
  const errors = Array.isArray(body.errors) ? body.errors.filter(isObject) : [];
  const error = isObject(body.error) ? body.error : body;
  const told = errors[0] ?? { kind: body.error_kind, ...error };
  const reason = typeof told.message === 'string' ? told.message : messageOfResult(result);
  const details = { ...about, reason, backend: errors.length > 0 ? errors : body };
  return refusalNamed(told, details) ?? worded(reason, details);
}

/** A refusal that came as a JSON-RPC error without a kind may be about the skill or the group all the same. */
function classified(error: unknown, about: ErrorDetails): unknown {
  const { code, details } = error as SvcError;
  if (code !== 'SVC_GATEWAY_BACKEND' && code !== 'SVC_GATEWAY_BACKEND_ARGUMENTS') return error;
  const known = worded(String(details.reason), { ...about, ...details });
  return known.code === 'SVC_GATEWAY_BACKEND' ? error : known;
}

/** What servers say that name no kind, in the order of the contract; with a status of their own (shape:envelope). */
const wordings: readonly (readonly [RegExp, (details: ErrorDetails) => SvcError])[] = [
  [/ambiguous|(several|multiple|more than one) instances?\b/i, gatewayErrors.TOLD_AMBIGUOUS],
  [/\binstance\b.*\b(offline|unreachable|gone|not running)|\binstance offline/i, gatewayErrors.TOLD_OFFLINE],
  [/\bschema\b.*\bunavailable/i, gatewayErrors.BACKEND_NO_SCHEMA],
  [/\bgroup\b.*\b(unknown|not found)|\bno tool group|unknown (tool )?group/i, gatewayErrors.TOLD_GROUP_NOT_FOUND],
  [/already loaded/i, gatewayErrors.TOLD_SKILL_LOADED],
  [/no skill is named|\bskill\b.*\b(unknown|not found)|unknown skill/i, gatewayErrors.TOLD_SKILL_NOT_FOUND],
];

function worded(reason: string, details: ErrorDetails): SvcError {
  // Kinds inside a text read like words.
  const text = reason.replaceAll(/[-_]/g, ' ');
  const [, make] = wordings.find(([words]) => words.test(text)) ?? [];
  return (make ?? gatewayErrors.BACKEND)(details);
}
