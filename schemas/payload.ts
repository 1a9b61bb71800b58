/** A payload as people are shown it: its beginning as text, without secrets. Pure. */
import { mayHoldSecret, redacted, withoutSecrets } from './redaction.ts';

export type Payload = {
  content: string;
  mime_type: string;
  truncated: boolean;
  /** Bytes. */
  original_size: number;
  estimated_tokens?: number;
};

/** Characters that are shown. */
const shownPayload = 4096;
export const perToken = 4;
/** Of a part, the end may be half of a secret. */
const longestSecret = 512;

/** What is looked through for secrets goes beyond what is shown: half of a secret is not told by its looks. */
export function payloadOf(given: string, bytes = Buffer.byteLength(given)): Payload {
  const whole = Buffer.byteLength(given) === bytes;
  const looked = mayHoldSecret(given) ? cleaned(given) : given;
  const clean = whole ? looked : looked.slice(0, Math.max(0, looked.length - longestSecret));
  const truncated = clean.length > shownPayload || !whole;
  return {
    content: clean.slice(0, shownPayload),
    mime_type: 'application/json',
    truncated,
    original_size: bytes,
    estimated_tokens: Math.ceil(bytes / perToken),
  };
}

/** By the names of members where it is JSON, by looks alone where a part is missing. */
function cleaned(given: string): string {
  try {
    return JSON.stringify(redacted(JSON.parse(given)));
  } catch {
    return withoutSecrets(given);
  }
}
