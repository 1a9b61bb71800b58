/** Who asked for a call, as an instance's events say it. Pure. */
import type { Json } from './loose.ts';
import { behind, isGateway } from './on-behalf.ts';
import { addCaller } from './tool-event.ts';
import { traceOf } from './traceparent.ts';

interface Client {
  readonly clientInfo?: Readonly<Json> | undefined;
}

/** What is known of a call before its tool is. */
export interface Asked {
  readonly requestId: string | number | undefined;
  readonly session: (Client & { readonly id: string; readonly clientCapabilities: Readonly<Json> }) | undefined;
  readonly rpc: Client | undefined;
  /** `params._meta` of the request. */
  readonly meta: Readonly<Json>;
}

/** Whether it came through a gateway, which tells its own bus of it. */
export const isThroughGateway = ({ session }: Pick<Asked, 'session'>): boolean =>
  session !== undefined && isGateway(session.clientCapabilities);

/** The `correlation` of its events: through a gateway, who stands behind that. */
export function correlationOf(call: Asked): Record<string, unknown> {
  const correlation: Record<string, unknown> = {};
  if (call.requestId !== undefined) correlation.request_id = call.requestId;
  const trace = traceOf(call.meta.traceparent);
  if (trace) correlation.trace_id = trace.traceId;
  if (call.session) correlation.session_id = call.session.id;
  const { name } = isThroughGateway(call) ? behind(call.meta) : ((call.session ?? call.rpc)?.clientInfo ?? {});
  addCaller(correlation, name, call.meta);
  return correlation;
}
