/** Tells who looks at traffic of each call that goes to an instance, and of what comes back. Nothing where nobody looks. */
import { type Bus, toRpcError } from '../../kernel/index.ts';
import type { Json } from '../../schemas/loose.ts';
import type { PassingCall } from './call-events.ts';
import type { Hop } from './hop-api.ts';
import type { Target } from './target.ts';

export function createHopEvents(bus: Pick<Bus, 'emit' | 'wants'>) {
  return {
    wanted: (): boolean => bus.wants('internal.hop.begun'),
    /** Tells of a call that is on its way, and of what it comes to; settles as `asked` does. */
    async watch(
      { caller }: PassingCall,
      { record, instance }: Target,
      args: string,
      meta: Json | undefined,
      asked: Promise<string>,
    ): Promise<string> {
      const { http: request, rpcId: rpc_id, requestId: request_id, traceId: trace_id, session } = caller;
      const { instance_id, dcc_type, mcp_url: url } = instance;
      const session_id = session?.id;
      const hop: Hop = { request, rpc_id, request_id, trace_id, session_id, instance_id, dcc_type, url };
      const tell = (name: 'internal.hop.begun' | 'internal.hop.ended', members: string): void =>
        void bus.emit(name, { attributes: { hop, text: `{"jsonrpc":"2.0",${members}}` } });
      const _meta = meta === undefined ? '' : `,"_meta":${JSON.stringify(meta)}`;
      const params = `{"name":${JSON.stringify(record.backend_tool)},"arguments":${args}${_meta}}`;
      tell('internal.hop.begun', `"method":"tools/call","params":${params}`);
      try {
        const json = await asked;
        tell('internal.hop.ended', `"result":${json}`);
        return json;
      } catch (error) {
        const { code, message } = toRpcError(error, 'session');
        tell('internal.hop.ended', `"error":${JSON.stringify({ code, message })}`);
        throw error;
      }
    },
  };
}
