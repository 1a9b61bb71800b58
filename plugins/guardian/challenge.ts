/** Asks a running gateway to give way to this version: `POST /gateway/yield`. */
import { packageVersion } from '../../kernel/index.ts';
import { type GatewayAddress, originOf } from './probe.ts';

/** True when the resident agreed: it is older, and is about to free the port. Never rejects. */
export async function challengeGateway(
  address: GatewayAddress,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const response = await fetch(`${originOf(address)}/gateway/yield`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ challenger_version: packageVersion, reason: 'a newer server takes part in the election' }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const { handoff } = (await response.json()) as { handoff?: unknown };
    return response.status === 200 && handoff === true;
  } catch {
    return false;
  }
}
