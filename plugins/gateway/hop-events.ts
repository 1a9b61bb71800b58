/** Tells who looks at traffic of each call that goes to an instance, and of what comes back. Nothing where nobody looks. */
import { type Bus, isSvcError, messageOf } from '../../kernel/index.ts';
import type { Json } from '../../schemas/loose.ts';
import type { PassingCall } from './call-events.ts';
import type { Hop } from './hop-api.ts';
import type { Target } from './target.ts';

export type HopEvents = ReturnType<typeof createHopEvents>;

export function createHopEvents(bus: Pick<Bus, 'emit' | 'wants'>) {
  /** The same call, from here to there and back. */
  const around = async (
    { caller }: PassingCall,
    { record, instance }: Target,
    [args, meta]: readonly [string, Json | undefined],
    send: () => Promise<string>,
  ): Promise<string> => {
    const { http: request, rpcId: rpc_id, requestId: request_id, traceId: trace_id, session } = caller;
    const { instance_id, dcc_type, mcp_url: url } = instance;
    const hop: Hop = {
      ...{ request, rpc_id, request_id, trace_id, instance_id, dcc_type, url },
      session_id: session?.id,
    };
    const _meta = meta === undefined ? '' : `,"_meta":${JSON.stringify(meta)}`;
    const params = `{"name":${JSON.stringify(record.backend_tool)},"arguments":${args}${_meta}}`;
    bus.emit('internal.hop.begun', {
      attributes: { hop, text: `{"jsonrpc":"2.0","method":"tools/call","params":${params}}` },
    });
    const ended = (member: string): void => {
      bus.emit('internal.hop.ended', { attributes: { hop, text: `{"jsonrpc":"2.0",${member}}` } });
    };
    try {
      const json = await send();
      ended(`"result":${json}`);
      return json;
    } catch (error) {
      const data = isSvcError(error) ? { code: error.code } : {};
      ended(`"error":${JSON.stringify({ message: messageOf(error), data })}`);
      throw error;
    }
  };

  return {
    /** Sends with `send`, and tells of it. */
    through: (
      call: PassingCall,
      target: Target,
      sent: readonly [string, Json | undefined],
      send: () => Promise<string>,
    ) => (bus.wants('internal.hop.begun') ? around(call, target, sent, send) : send()),
  };
}
