/** Asks an instance whether it is ready: `/v1/readyz`, or `/health` where there is no such thing. */
import { objectOf } from '../../../../schemas/loose.ts';
import { missingBits, type Readiness, readinessBits } from '../../../../schemas/readiness.ts';
import type { Finding } from '../driver.ts';
import type { Failure } from '../failure.ts';
import { jsonOf, type Reply } from './reply.ts';

export type Ask = (path: string, timeoutMs: number) => Promise<{ failure?: Failure; reply?: Reply }>;

/** Never rejects. */
export async function probe(ask: Ask, timeoutMs: number): Promise<Finding> {
  const { failure, reply } = await ask('/v1/readyz', timeoutMs);
  if (failure) return unreachable(failure);
  const readiness = reply && readinessOf(reply);
  if (readiness) return { kind: 'reachable', readiness, ready: missingBits(readiness).length === 0 };
  const older = await ask('/health', timeoutMs);
  if (older.failure) return unreachable(older.failure);
  const status = older.reply?.status ?? 0;
  if (status >= 200 && status < 300 && objectOf(jsonOf(older.reply as Reply)).ok === true)
    return { kind: 'reachable', ready: null };
  const message = `something else answers there: /v1/readyz with status ${reply?.status}, /health with status ${status}`;
  return { kind: 'unreachable', message, certain: true };
}

const unreachable = ({ kind, reason }: Failure): Finding => ({
  kind: 'unreachable',
  message: kind === 'timeout' ? 'no answer in time' : reason,
  certain: kind === 'unreachable' || kind === 'malformed',
});

function readinessOf(reply: Reply): Readiness | undefined {
  if (reply.status !== 200 && reply.status !== 503) return undefined;
  const body = objectOf(jsonOf(reply));
  if (typeof body.process !== 'boolean') return undefined;
  return Object.fromEntries(readinessBits.map(bit => [bit, body[bit] !== false])) as Readiness;
}
