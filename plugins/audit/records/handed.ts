/** What is handed to the thread that makes rows of calls, and what it says. */
import type { Tape, TapeMemory } from '../../../schemas/tape.ts';
import type { Caps } from './capped-file.ts';

export type ToRows =
  /** Records: see `packed.ts`. */
  | { readonly what: 'calls'; readonly records: Tape }
  /** Answered when what was handed over before is in the files, or lost. */
  | { readonly what: 'settle'; readonly end: boolean };

export type FromRows =
  /** The memory that they came in goes back. */
  | { readonly what: 'taken'; readonly calls: number; readonly memory: TapeMemory }
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
