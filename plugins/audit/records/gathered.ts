/**
 * Records of calls that wait, as text and numbers in memory of their own: hundreds of objects that wait are what the garbage
 * collection copies again and again, and V8 then makes all later ones where they are dear.
 */
import { messageOf } from '../../../kernel/light.ts';
import type { CallRecord } from '../../../schemas/call-record.ts';
import { type Tape, type TapeMemory, TapeWriter } from '../../../schemas/tape.ts';
import { packRecord } from './packed.ts';

export interface GatheredParts {
  /** Some were packed: so many are on the tape now. */
  onPacked(packed: number): void;
  /** What no thread can be given is lost. */
  onLost(reason: string): void;
}

export type Gathered = ReturnType<typeof createGathered>;

/** Until a record is whole: how its answer goes out is noted after it came. */
const restMs = 5;

export function createGathered({ onPacked, onLost }: GatheredParts) {
  const tape = new TapeWriter();
  let waiting: CallRecord[] = [];
  let packed = 0;
  let timer: NodeJS.Timeout | undefined;

  const pack = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const records = waiting;
    waiting = [];
    for (const each of records) {
      try {
        packRecord(each, tape);
        packed += 1;
      } catch (error) {
        onLost(messageOf(error));
      }
    }
    onPacked(packed);
  };

  return {
    add(record: CallRecord): void {
      waiting.push(record);
      timer ??= setTimeout(pack, restMs);
    },
    /** Records that are here. */
    get calls(): number {
      return waiting.length + packed;
    },
    pack,
    /** What was packed, which is here no more. */
    take(): Tape {
      packed = 0;
      return tape.take();
    },
    /** A copy of what was packed. */
    copy: (): Tape => tape.copy(),
    /** Memory of what was taken has come back. */
    reuse: (memory: TapeMemory): void => tape.reuse(memory),
  };
}
