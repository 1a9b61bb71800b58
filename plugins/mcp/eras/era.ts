/**
 * Which lifecycle a POST belongs to. A sessionless message names its revision in `params._meta`; everything else belongs
 * to a session. The sessionless revision joins here: today every version that an envelope can name is refused.
 */
import { rpcErrors, type SvcError } from '../../../kernel/index.ts';
import { mcpErrors } from '../errors.ts';
import { sessionRevisions } from './revision.ts';

const envelopeKey = 'io.modelcontextprotocol/protocolVersion';

/** The revision that a message names in its envelope; nothing for a message of a session. */
export function envelopeVersion(message: unknown): unknown {
  const params = (message as { params?: { _meta?: Record<string, unknown> } } | null | undefined)?.params;
  const meta = params?._meta;
  return typeof meta === 'object' && meta !== null ? meta[envelopeKey] : undefined;
}

/** Why no lifecycle serves this body; nothing when a session does. */
export function classify(body: unknown): SvcError | undefined {
  if (Array.isArray(body)) {
    const mixed = body.some(each => envelopeVersion(each) !== undefined);
    return mixed ? rpcErrors.INVALID_REQUEST({ reason: 'sessionless messages cannot be batched' }) : undefined;
  }
  const requested = envelopeVersion(body);
  if (requested === undefined) return undefined;
  return mcpErrors.UNSUPPORTED_REVISION({ requested, supported: sessionRevisions });
}
