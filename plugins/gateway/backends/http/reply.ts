/** Reading plain HTTP replies. */
import { parsed } from '../../../../schemas/loose.ts';
import { type Answer, readMessage, readText } from '../answer.ts';

export interface Reply {
  readonly status: number;
  /** Names and values in turns, as undici hands them out. */
  readonly headers: readonly Buffer[];
  readonly body: Buffer | string;
}

/** The value of a header; names are compared without regard to case. */
export function headerOf(headers: readonly Buffer[], name: string): string | undefined {
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const key = headers[index] as Buffer;
    if (key.length === name.length && key.toString('latin1').toLowerCase() === name) {
      return (headers[index + 1] as Buffer).toString('latin1');
    }
  }
  return undefined;
}

/** The JSON of a body; nothing for what is none. */
export const jsonOf = ({ body }: Reply): unknown => parsed(body.toString('utf8'));

/** Reads the answer to request `id` from a reply. */
export function readReply(reply: Reply, id: number): Answer {
  const { status, headers, body } = reply;
  if (status === 200) {
    const fast = readText(body.toString('utf8'), id);
    if (fast) return fast;
  }
  const answer = readMessage(jsonOf(reply), id);
  if (status === 503 || status === 429) {
    const reason = answer?.error?.message ?? `status ${status}`;
    const retryAfterSecs = Number(headerOf(headers, 'retry-after')) || 1;
    return { failure: { kind: 'overloaded', reason, retryAfterSecs } };
  }
  // An error is an answer whatever its status; a result is one only with the status of success.
  if (answer && (answer.error || (status >= 200 && status < 300))) return answer;
  const type = headerOf(headers, 'content-type') ?? 'no content type';
  const reason = `status ${status}, ${type}, ${body.length} bytes that are no answer to this request`;
  return { failure: { kind: 'malformed', reason } };
}
