/** What an instance refused, in the gateway's words; what already is an error of ours with a kind stays as it is. Pure. */

import { type ErrorDetails, isSvcError, kernelErrors, messageOf, type SvcError } from '../../kernel/index.ts';
import { isObject, type Json, objectOf } from '../../schemas/loose.ts';
import type { Instance } from '../instances/api.ts';
import { gatewayErrors } from './errors.ts';

/** The JSON-RPC error object of an instance, as the backends plugin carries it. */
function rpcErrorOf(error: SvcError): { code: number; message: string; data: Json } | undefined {
  if (error.code !== 'SVC_BACKENDS_RPC_ERROR') return undefined;
  const { details } = error;
  const { code, message, data } = isObject(details.backend_error) ? details.backend_error : ({} as Json);
  return {
    code: typeof code === 'number' ? code : -32603,
    message: typeof message === 'string' ? message : error.message,
    data: isObject(data) ? data : {},
  };
}

/** The job that failed, when the instance waited for its end. */
export function jobIdOfFailure(error: unknown): string | undefined {
  const id = isSvcError(error) ? rpcErrorOf(error)?.data.job_id : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** How long the tool ran that failed. */
export function toolMsOfFailure(error: unknown): number | undefined {
  const ms = isSvcError(error) ? error.details.tool_ms : undefined;
  return typeof ms === 'number' ? ms : undefined;
}

/** Whether the instance says that it has no such tool: its list has changed since it was indexed. */
export function saysUnknownTool(error: unknown): boolean {
  const told = isSvcError(error) ? rpcErrorOf(error) : undefined;
  return told !== undefined && (told.code === -32000 || told.data.code === 'SVC_TOOLS_NOT_FOUND');
}

/** Kinds that an instance may tell by their contract names, and codes of our own instances that mean the same. */
const kindsByCode: Readonly<Record<string, string>> = {
  SVC_JOBS_TOO_MANY: 'throttled',
  SVC_HOST_BUSY: 'host-busy',
  SVC_TOOLS_AFFINITY: 'thread-affinity-violation',
  SVC_SKILLS_RUNTIME_NOT_IN_PROCESS: 'affinity-violation',
  SVC_SKILLS_NOT_FOUND: 'skill-not-found',
  SVC_SKILLS_UNKNOWN_GROUP: 'group-not-found',
  SVC_TOOLS_GROUP_UNKNOWN: 'group-not-found',
};

const refusals: Readonly<Record<string, (details: ErrorDetails, cause?: unknown) => SvcError>> = {
  throttled: (details, cause) => gatewayErrors.THROTTLED({ ...details, retry_after_secs: 1 }, cause),
  'host-busy': (details, cause) => gatewayErrors.BACKEND_BUSY({ ...details, retry_after_secs: 1 }, cause),
  'thread-affinity-violation': gatewayErrors.BACKEND_THREAD,
  'affinity-violation': gatewayErrors.BACKEND_AFFINITY,
  'policy-denied': gatewayErrors.BACKEND_DENIED,
  'host-died': gatewayErrors.HOST_DIED,
  'skill-not-found': gatewayErrors.SKILL_NOT_FOUND,
  'skill-already-loaded': gatewayErrors.SKILL_LOADED,
  'group-not-found': gatewayErrors.GROUP_NOT_FOUND,
  'ambiguous-instance': gatewayErrors.BACKEND_AMBIGUOUS,
  'no-discovery-endpoint': gatewayErrors.BACKEND_NO_DISCOVERY,
  'schema-unavailable': gatewayErrors.BACKEND_NO_SCHEMA,
};

/** The error for what an instance calls by a code or a kind; nothing when it is none that the gateway passes on. */
export function refusalNamed(told: Json, details: ErrorDetails, cause?: unknown): SvcError | undefined {
  const code = String(told.code ?? '');
  if (code === 'EVENT_VETOED') return vetoed(told, details, cause);
  const kind = Object.hasOwn(kindsByCode, code) ? String(kindsByCode[code]) : String(told.kind ?? '');
  return Object.hasOwn(refusals, kind) ? refusals[kind]?.(details, cause) : undefined;
}

/** The veto of an instance's hook is the same error here. */
function vetoed(told: Json, details: ErrorDetails, cause: unknown): SvcError {
  const { event = 'tool.dispatched', veto_code = 'vetoed', veto_reason = details.reason } = told;
  return kernelErrors.EVENT_VETOED({ ...details, event, veto_code, veto_reason }, cause);
}

export function backendFailure(
  error: unknown,
  { instance_short: instance }: Pick<Instance, 'instance_short'>,
  about: ErrorDetails = {},
): unknown {
  if (!isSvcError(error)) return gatewayErrors.BACKEND({ instance, reason: messageOf(error) }, error);
  const backend = rpcErrorOf(error);
  if (!backend) return error;
  const where = `instance ${instance}`;
  const details = { skill: '', group: '', where, ...about, instance, reason: backend.message, backend };
  const refusal = refusalNamed(backend.data, details, error);
  if (refusal) return refusal;
  if (backend.code === -32001 || backend.code === -32602) return gatewayErrors.BACKEND_ARGUMENTS(details, error);
  return gatewayErrors.BACKEND(details, error);
}

/** Kinds by which our own instances tell that a tool ran and failed. */
const ranAndFailed = new Set<unknown>(['backend-error', 'job-failed']);

/** The same for the call of a tool: its failure is its own word, and no refusal of its instance. */
export function callFailure(error: unknown, instance: Pick<Instance, 'instance_short'>): unknown {
  const failure = backendFailure(error, instance);
  if (!isSvcError(failure) || failure.code !== 'SVC_GATEWAY_BACKEND') return failure;
  const { data } = objectOf(failure.details.backend);
  return ranAndFailed.has(objectOf(data).kind) ? gatewayErrors.TOOL_FAILED(failure.details, error) : failure;
}
