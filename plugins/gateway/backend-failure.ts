/** What an instance refused, in the gateway's words; what already is an error of ours with a kind stays as it is. Pure. */
import { isSvcError, messageOf, type SvcError } from '../../kernel/index.ts';
import type { Instance } from '../instances/api.ts';
import type { Json } from './api.ts';
import { gatewayErrors } from './errors.ts';
import { isObject } from './requests.ts';

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

/** Whether the instance says that it has no such tool: its list has changed since it was indexed. */
export function saysUnknownTool(error: unknown): boolean {
  const told = isSvcError(error) ? rpcErrorOf(error) : undefined;
  return told !== undefined && (told.code === -32000 || told.data.code === 'SVC_TOOLS_NOT_FOUND');
}

export function backendFailure(
  error: unknown,
  { instance_short: instance }: Pick<Instance, 'instance_short'>,
): unknown {
  if (!isSvcError(error)) return gatewayErrors.BACKEND({ instance, reason: messageOf(error) }, error);
  const backend = rpcErrorOf(error);
  if (!backend) return error;
  const details = { instance, reason: backend.message, backend };
  const code = String(backend.data.code ?? '');
  const kind = String(backend.data.kind ?? '');
  if (code === 'SVC_JOBS_TOO_MANY' || kind === 'throttled') {
    return gatewayErrors.THROTTLED({ ...details, retry_after_secs: 1 }, error);
  }
  if (code === 'SVC_HOST_BUSY' || kind === 'host-busy') {
    return gatewayErrors.BACKEND_BUSY({ ...details, retry_after_secs: 1 }, error);
  }
  if (code === 'SVC_TOOLS_AFFINITY' || kind.endsWith('affinity-violation')) {
    return gatewayErrors.BACKEND_AFFINITY(details, error);
  }
  if (kind === 'host-died') return gatewayErrors.HOST_DIED(details, error);
  if (backend.code === -32001 || backend.code === -32602) return gatewayErrors.BACKEND_ARGUMENTS(details, error);
  return gatewayErrors.BACKEND(details, error);
}
