/** The newest calls, for a gateway without a directory for them. */
import type { CallRecord } from '../../../schemas/call-record.ts';
import type { Tape } from '../../../schemas/tape.ts';
import { createGathered } from './gathered.ts';
import { unpackRecords } from './packed.ts';
import type { Rows } from './rows.ts';
import type { RecordStore, RowsByKind } from './store.ts';

/** Calls that are kept without a directory. */
export const keptInMemory = 512;
/** Of one tape: they go together. */
const ofTape = 64;

export function createMemoryStore(rows: Rows): RecordStore {
  let full: { readonly tape: Tape; readonly calls: number }[] = [];
  /** On the full ones. */
  let kept = 0;
  let dropped = 0;

  const gathered = createGathered({
    onPacked(calls) {
      if (calls < ofTape) return;
      full.push({ tape: gathered.take(), calls });
      kept += calls;
      for (let oldest = full[0]; oldest && kept - oldest.calls >= keptInMemory; oldest = full[0]) {
        full.shift();
        kept -= oldest.calls;
        gathered.reuse(oldest.tape);
      }
    },
    onLost() {
      dropped += 1;
    },
  });

  return {
    add: gathered.add,
    async *rows<K extends keyof RowsByKind>(kind: K) {
      const make = (kind === 'calls' ? rows.audit : rows.trace) as (record: CallRecord) => RowsByKind[K];
      gathered.pack();
      // Copied before anybody waits: the memory of the oldest is used again.
      const records = [...full.map(each => each.tape), gathered.copy()].flatMap(each => [...unpackRecords(each)]);
      yield records.slice(-keptInMemory).map(each => () => make(each));
    },
    status: () => ({ durable: false, dropped, skipped_invalid: 0, problem: null }),
    async close() {
      gathered.pack();
      [full, kept] = [[], 0];
    },
  };
}
