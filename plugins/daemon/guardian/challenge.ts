/** Asks a running gateway to give way to this server: `POST /gateway/yield` (shape:election). */

import { packageVersion } from '../../../kernel/index.ts';
import { originOf } from '../../../schemas/address.ts';
import type { Settings } from './config.ts';
import type { GatewayAddress } from './probe.ts';

/** True when the resident agreed: this server goes before it, and it is about to free the port. Never rejects. */
export async function challengeGateway(
  address: GatewayAddress,
  { adapter_version, dcc_type }: Pick<Settings, 'adapter_version' | 'dcc_type'>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const response = await fetch(`${originOf(address)}/gateway/yield`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        challenger_version: packageVersion,
        // Beside the contract: what decides between equal versions.
        challenger_adapter_version: adapter_version,
        challenger_dcc_type: dcc_type,
        reason: 'another server takes part in the election',
      }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const { handoff } = (await response.json()) as { handoff?: unknown };
    return response.status === 200 && handoff === true;
  } catch {
    return false;
  }
}
