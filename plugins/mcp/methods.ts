/** The MCP methods of the session itself: ping, logging level, completion, cancellation. */
import { after, type Bus, RawJson, type Rpc, rpcErrors, type Scope } from '../../kernel/index.ts';
import { logLevels } from '../../schemas/log-levels.ts';
import type { Completion } from './completion.ts';
import type { Sessions } from './sessions/sessions.ts';
import { levelRank } from './streams/levels.ts';

const empty = new RawJson('{}');

/** Adds the methods to the router; `scope` undoes it. `initialize` is not one: the session lifecycle serves it. */
export function addMethods(rpc: Rpc, scope: Scope, sessions: Sessions, completion: Completion, bus: Bus): void {
  scope.add(
    'ping',
    rpc.method('ping', () => empty),
  );

  const setLevel = rpc.method('logging/setLevel', ({ level }, { session }) => {
    const rank = levelRank(level);
    if (rank === undefined) {
      throw rpcErrors.INVALID_PARAMS({ reason: `"level" must be one of ${logLevels.join(', ')}`, field: 'level' });
    }
    const own = session && sessions.get(session.id);
    if (!own) return empty;
    own.logLevel = rank;
    return after(sessions.save(own), () => empty);
  });
  scope.add('logging/setLevel', setLevel);

  scope.add('completion/complete', rpc.method('completion/complete', completion.handler));

  const cancelled = rpc.notification('notifications/cancelled', ({ requestId, reason }, { session }) => {
    if (!session || (typeof requestId !== 'string' && typeof requestId !== 'number')) return;
    const call = sessions.get(session.id)?.calls.get(requestId);
    if (call) call.cancel(typeof reason === 'string' ? reason : 'cancelled by the client');
    else bus.emit('internal.request.cancelled_late', { attributes: { session_id: session.id, request_id: requestId } });
  });
  scope.add('notifications/cancelled', cancelled);
}
