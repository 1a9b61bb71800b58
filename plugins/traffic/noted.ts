/** What was noted in the turn of a call, as it goes on the tape. */
import type { TapeWriter } from '../../schemas/tape.ts';
import type { Hop } from '../gateway/hop-api.ts';
import type { Place } from './handed.ts';
import { type Carried, pack } from './packed.ts';
import { answerHeadersOf, headersOf } from './safe-http.ts';
import type { Exchange, Passing } from './tap.ts';

export type Noted =
  | readonly [what: 'sent', number: number, Exchange]
  | readonly [what: 'passed on', number: number, Place]
  | readonly [what: 'answered', number: number, Exchange, whole: boolean]
  | readonly [what: 'begun', hop: number, number: number, Hop, ns: number, text: string]
  | readonly [what: 'ended', hop: number, ns: number, text: string];

/** Texts of hops that are longer than `limit` are left out. */
export function packNoted(noted: Noted, limit: number, to: TapeWriter): void {
  if (noted[0] === 'sent') {
    const [, number, { door, path, sentNs, request, sent }] = noted;
    pack(['sent', number, door, path, sentNs, headersOf(request), passed(sent)], to);
  } else if (noted[0] === 'answered') {
    const [, number, exchange, whole] = noted;
    const { status, answeredNs, answered } = exchange;
    pack(['answered', number, status, answeredNs, answerHeadersOf(exchange), passed(answered), whole], to);
  } else if (noted[0] === 'begun') {
    const [, hop, number, { rpc_id = null, request_id, trace_id, session_id, instance_id, dcc_type, url }, ns] = noted;
    const names = [request_id, trace_id, session_id] as const;
    pack(['begun', hop, number, rpc_id, names, [instance_id, dcc_type, url], ns, bodyOf(noted[5], limit)], to);
  } else if (noted[0] === 'ended') pack(['ended', noted[1], noted[2], bodyOf(noted[3], limit)], to);
  else pack(noted, to);
}

function bodyOf(text: string, limit: number): Carried {
  const size = Buffer.byteLength(text);
  return [size, size > limit ? null : text];
}

/** What passed, where all of it was kept. */
const passed = (body: Passing): Carried => [body.size, body.truncated ? null : body.whole()];
