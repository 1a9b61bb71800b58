/** What is handed to the thread that makes rows of calls, and what it says. */
import type { IncomingHttpHeaders } from 'node:http';
import { attributionHeaders } from '../../../schemas/attribution.ts';
import type { Caps } from './capped-file.ts';
import type { CallRecord } from './record.ts';

export type ToRows =
  | { readonly what: 'calls'; readonly records: readonly CallRecord[] }
  /** Answered when what was handed over before is in the files, or lost. */
  | { readonly what: 'settle'; readonly end: boolean };

export type FromRows =
  | { readonly what: 'taken'; readonly calls: number }
  | { readonly what: 'settled' }
  | { readonly what: 'problem'; readonly file: string; readonly reason: string }
  | { readonly what: 'recovered'; readonly dropped: number }
  | { readonly what: 'state'; readonly dropped: number; readonly problem: string | null };

export interface RowsData {
  readonly audit: string;
  readonly traces: string;
  readonly caps: Caps;
  /** Of the thread that took the moments of the calls. */
  readonly timeOrigin: number;
}

const wanted = [...attributionHeaders, 'traceparent', 'tracestate'];

/** Of a record only what its rows are made of: the headers of its request have more. */
export function handed(record: CallRecord): CallRecord {
  const { headers } = record.origin;
  const kept: IncomingHttpHeaders = {};
  for (const name of wanted) if (headers[name] !== undefined) kept[name] = headers[name];
  const origin = { ...record.origin, headers: kept };
  return { ...record, origin, passage: { ...record.passage, origin, answer: undefined } };
}
