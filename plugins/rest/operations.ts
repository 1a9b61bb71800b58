/** The operations behind the negotiated routes. */
import type { GatewayService } from '../api.ts';
import type { Operation } from './exchange.ts';

export type OperationName = 'search' | 'describe' | 'load_skill' | 'unload_skill' | 'call' | 'call_batch';

const never = (): boolean => false;

export function operationsOf(gateway: GatewayService): Readonly<Record<OperationName, Operation>> {
  return {
    search: { compaction: 'search', lenient: true, isBatch: never, run: gateway.search },
    // Skills are described by the MCP tool; here a slug is asked for.
    describe: {
      compaction: 'describe',
      isBatch: never,
      run: ({ skill_name: _, ...body }, caller) => gateway.describe(body, caller),
    },
    load_skill: { compaction: 'none', isBatch: never, run: gateway.loadSkill },
    unload_skill: { compaction: 'none', isBatch: never, run: gateway.unloadSkill },
    call: {
      compaction: 'batch',
      isBatch: body => body.calls !== undefined,
      run: (body, caller) => (body.calls === undefined ? gateway.call(body, caller) : gateway.callBatch(body, caller)),
    },
    call_batch: { compaction: 'batch', isBatch: () => true, run: gateway.callBatch },
  };
}
