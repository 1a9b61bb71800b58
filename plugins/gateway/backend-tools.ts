/** The built-in tools of an instance, as the gateway uses them for skills: structured answers, failures in the gateway's words. */
import type { SvcError } from '../../kernel/index.ts';
import type { Abortable, Backend } from '../backends/api.ts';
import type { Json } from './api.ts';
import { backendFailure } from './backend-failure.ts';
import { messageOfResult, structuredOf } from './call-result.ts';
import { gatewayErrors } from './errors.ts';
import { isObject } from './requests.ts';

export interface RunOptions {
  /** The tool only reads: it may be sent again. */
  idempotent?: boolean;
  signal?: Abortable | undefined;
  /** What the call is about, for the message of a failure. */
  skill?: string | undefined;
  group?: string | undefined;
}

/** The structured answer of a built-in; throws SVC_GATEWAY_* or the connection's error. */
export async function runBuiltin(backend: Backend, name: string, args: Json, options: RunOptions = {}): Promise<Json> {
  const { idempotent = false, signal, skill = '', group = '' } = options;
  let result: unknown;
  try {
    result = await backend.request('tools/call', { name, arguments: args }, { idempotent, ...(signal && { signal }) });
  } catch (error) {
    throw classified(backendFailure(error, backend.instance), skill, group, backend);
  }
  const answer = isObject(result) ? result : {};
  if (answer.isError !== true) return structuredOf(answer) ?? {};
  throw lifecycleFailure(answer, skill, group, backend);
}

function lifecycleFailure(result: Json, skill: string, group: string, backend: Backend): SvcError {
  const body = structuredOf(result) ?? {};
  const errors = Array.isArray(body.errors) ? body.errors.filter(isObject) : [];
  const [first] = errors;
  const reason = typeof first?.message === 'string' ? first.message : messageOfResult(result);
  const code = String(first?.code ?? body.code ?? '');
  return lifecycleError(reason, code, skill, group, backend, errors.length > 0 ? errors : body);
}

function lifecycleError(reason: string, code: string, skill: string, group: string, backend: Backend, told: unknown) {
  const instance = backend.instance.instance_short;
  const details = { skill, group, reason, instance, where: `instance ${instance}`, backend: told };
  if (code === 'SVC_SKILLS_NOT_FOUND' || /no skill is named|skill .*not found/i.test(reason)) {
    return gatewayErrors.SKILL_NOT_FOUND(details);
  }
  if (/_GROUP|UNKNOWN_GROUP/.test(code) || /(tool )?group .*(unknown|not found)|has no tool group/i.test(reason)) {
    return gatewayErrors.GROUP_NOT_FOUND(details);
  }
  return gatewayErrors.BACKEND(details);
}

/** A refusal that came as a JSON-RPC error may be about the skill or the group all the same. */
function classified(error: unknown, skill: string, group: string, backend: Backend): unknown {
  const { code, details } = error as SvcError;
  if (code !== 'SVC_GATEWAY_BACKEND' && code !== 'SVC_GATEWAY_BACKEND_ARGUMENTS') return error;
  const told = isObject(details.backend) ? details.backend : {};
  const data = isObject(told.data) ? told.data : {};
  const known = lifecycleError(String(details.reason), String(data.code ?? ''), skill, group, backend, told);
  return known.code === 'SVC_GATEWAY_BACKEND' ? error : known;
}
