/** Asks an instance whether it is ready: `/v1/readyz`, or `/health` where there is no such thing. */
import { objectOf } from '../../../../schemas/loose.ts';
import { missingBits, type Readiness, readinessBits } from '../../../../schemas/readiness.ts';
import type { Finding, Foreign } from '../driver.ts';
import type { Failure } from '../failure.ts';
import { unreachable } from '../probe.ts';
import { jsonOf, type Reply } from './reply.ts';

export type Ask = (path: string, timeoutMs: number) => Promise<{ failure?: Failure; reply?: Reply }>;

/** The probe never rejects. */
export function createHttpProbe(ask: Ask) {
  /** It has told its readiness or its health: from then on silence is silence, and nobody else's way of answering. */
  let tells = false;

  const failed = (failure: Failure): Finding | Foreign =>
    tells || failure.kind === 'unreachable'
      ? unreachable(failure)
      : { kind: 'foreign', message: `nothing of use at /v1/readyz (${failure.reason})` };

  return async (timeoutMs: number): Promise<Finding | Foreign> => {
    const { failure, reply } = await ask('/v1/readyz', timeoutMs);
    if (failure) return failed(failure);
    const readiness = reply && readinessOf(reply);
    if (readiness) {
      tells = true;
      return { kind: 'reachable', readiness, ready: missingBits(readiness).length === 0 };
    }
    const older = await ask('/health', timeoutMs);
    if (older.failure) return failed(older.failure);
    const status = older.reply?.status ?? 0;
    tells = status >= 200 && status < 300 && objectOf(jsonOf(older.reply as Reply)).ok === true;
    if (tells) return { kind: 'reachable', ready: null };
    return { kind: 'foreign', message: `/v1/readyz with status ${reply?.status}, /health with status ${status}` };
  };
}

function readinessOf(reply: Reply): Readiness | undefined {
  if (reply.status !== 200 && reply.status !== 503) return undefined;
  const body = objectOf(jsonOf(reply));
  if (typeof body.process !== 'boolean') return undefined;
  return Object.fromEntries(readinessBits.map(bit => [bit, body[bit] !== false])) as Readiness;
}
