/** Tells who looks at traffic of each call that goes to an instance, and of what comes back. Nothing where nobody looks. */
import { type Bus, toRpcError } from '../../kernel/index.ts';
import type { PassingCall } from './call-events.ts';
import type { Hop } from './hop-api.ts';
import type { Target } from './target.ts';

export function createHopEvents(bus: Pick<Bus, 'emit' | 'wants'>) {
  const ended = (hop: Hop, members: string): void =>
    void bus.emit('internal.hop.ended', { attributes: { hop, text: `{"jsonrpc":"2.0",${members}}` } });
  return {
    /** The call as it is told of; undefined where nobody looks. */
    of({ caller }: PassingCall, { instance }: Target): Hop | undefined {
      if (!bus.wants('internal.hop.begun')) return undefined;
      const { http: request, rpcId: rpc_id, requestId: request_id, traceId: trace_id, session } = caller;
      const { instance_id, dcc_type, mcp_url: url } = instance;
      return { request, rpc_id, request_id, trace_id, session_id: session?.id, instance_id, dcc_type, url };
    },
    /** `members` are those of the message, but for its id, which is the gateway's own affair. */
    sent(hop: Hop, members: string): void {
      bus.emit('internal.hop.begun', { attributes: { hop, text: `{"jsonrpc":"2.0",${members}}` } });
    },
    answered: (hop: Hop, json: string): void => ended(hop, `"result":${json}`),
    failed(hop: Hop, error: unknown): void {
      const { code, message } = toRpcError(error, 'session');
      ended(hop, `"error":${JSON.stringify({ code, message })}`);
    },
  };
}
