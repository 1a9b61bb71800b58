/** Asks a running gateway to give way to this server: `POST /gateway/yield` (shape:election). */

import { messageOf, packageVersion } from '../../../kernel/index.ts';
import { originOf } from '../../../schemas/address.ts';
import { objectOf, text } from '../../../schemas/loose.ts';
import { withTimeout } from '../../../schemas/with-timeout.ts';
import type { Settings } from './config.ts';
import type { GatewayAddress } from './probe.ts';

export interface ChallengeAnswer {
  /** The resident agreed: this server goes before it, and it frees the port or has handed it on. */
  handoff: boolean;
  /** What it says of it, or why nothing was heard. */
  message: string;
  /** Its successor, where it has started one. */
  pid?: number;
}

/** Never rejects. */
export async function challengeGateway(
  address: GatewayAddress,
  { adapter_version, dcc_type }: Pick<Settings, 'adapter_version' | 'dcc_type'>,
  authorization: string | undefined,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ChallengeAnswer> {
  try {
    const response = await fetch(`${originOf(address)}/gateway/yield`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
      body: JSON.stringify({
        challenger_version: packageVersion,
        // Beside the contract: what decides between equal versions.
        challenger_adapter_version: adapter_version,
        challenger_dcc_type: dcc_type,
        reason: 'another server takes part in the election',
      }),
      signal: withTimeout(signal, timeoutMs),
    });
    const { handoff, message, successor_pid } = objectOf(await response.json());
    return {
      handoff: response.status === 200 && handoff === true,
      message: text(message) ?? `it answered with status ${response.status}`,
      ...(typeof successor_pid === 'number' && { pid: successor_pid }),
    };
  } catch (error) {
    return { handoff: false, message: messageOf(error) };
  }
}
