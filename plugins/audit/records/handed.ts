/** What is handed to the thread that makes rows of calls, and what it says. */
import type { Caps } from './capped-file.ts';

export type ToRows =
  /** As JSON: objects would be copied member by member with their names, which takes three times as long. */
  | { readonly what: 'calls'; readonly records: string }
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
