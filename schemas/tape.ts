/**
 * Numbers and texts on their way to another thread, one after the other in memory that is handed over whole and comes back.
 * What waits there is nothing that the garbage collection would copy, and nothing is cloned member by member.
 */

/** Two pieces of memory that go from one thread to the other and back: `transferOf` names them. */
export interface TapeMemory {
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Memory with what was written into it. */
export interface Tape extends TapeMemory {
  /** Of `numbers`, those that were written. */
  readonly count: number;
  /** Texts that come again and again, each once. */
  readonly words: readonly string[];
}

export const transferOf = ({ numbers, bytes }: TapeMemory): ArrayBuffer[] => [numbers.buffer, bytes.buffer];

const absent = -1;
const smallestNumbers = 4096;
const smallestBytes = 128 * 1024;
/** Memory that has grown larger is let go of. */
const largestKept = 1024 * 1024;
/** Of a reader that is a second behind: fresh memory is dear, above all on a virtual machine. */
const mostSpare = 16;
/** UTF-8 has no more bytes for one of JavaScript's characters. */
const bytesOfCharacter = 3;

export class TapeWriter {
  readonly #spare: TapeMemory[] = [];
  #numbers = new Float64Array(0);
  #bytes = Buffer.from(new ArrayBuffer(0));
  #count = 0;
  #length = 0;
  #words = new Map<string, number>();
  /** Numbers and bytes that there is room for as soon as there is any: what the tape before needed. */
  #atOnce: readonly [numbers: number, bytes: number] = [smallestNumbers, smallestBytes];

  number(value: number): void {
    if (this.#count >= this.#numbers.length) this.#growNumbers();
    this.#numbers[this.#count] = value;
    this.#count += 1;
  }

  /** A text that is another one each time. Of a surrogate without its partner the other thread reads U+FFFD. */
  text(value: string | null | undefined): void {
    let written = absent;
    if (value !== undefined && value !== null) {
      const most = value.length * bytesOfCharacter;
      if (this.#bytes.length - this.#length < most) this.#growBytes(most);
      written = this.#bytes.write(value, this.#length);
      this.#length += written;
    }
    this.number(written);
  }

  /** The same of one that is UTF-8 already. */
  bytes(text: Uint8Array): void {
    if (this.#bytes.length - this.#length < text.length) this.#growBytes(text.length);
    this.#bytes.set(text, this.#length);
    this.#length += text.length;
    this.number(text.length);
  }

  /** A text that comes again and again. */
  word(value: string | undefined): void {
    let index = value === undefined ? absent : this.#words.get(value);
    if (index === undefined) {
      index = this.#words.size;
      this.#words.set(value as string, index);
    }
    this.number(index);
  }

  /** What was written; from here on it is another tape. */
  take(): Tape {
    const tape = {
      ...{ numbers: this.#numbers, count: this.#count },
      bytes: new Uint8Array(this.#bytes.buffer),
      words: [...this.#words.keys()],
    };
    const next = this.#spare.pop();
    this.#atOnce = [
      Math.min(tape.numbers.length, largestKept / Float64Array.BYTES_PER_ELEMENT),
      Math.min(tape.bytes.length, largestKept),
    ];
    this.#numbers = next?.numbers ?? new Float64Array(0);
    this.#bytes = Buffer.from(next?.bytes.buffer ?? new ArrayBuffer(0));
    [this.#count, this.#length] = [0, 0];
    if (this.#words.size > 0) this.#words = new Map();
    return tape;
  }

  /** What was written so far, in memory of its own. */
  copy(): Tape {
    return {
      ...{ numbers: this.#numbers.slice(0, this.#count), count: this.#count },
      bytes: new Uint8Array(this.#bytes.buffer.slice(0, this.#length)),
      words: [...this.#words.keys()],
    };
  }

  /** Memory has come back. */
  reuse(memory: TapeMemory): void {
    const large = memory.numbers.byteLength > largestKept || memory.bytes.byteLength > largestKept;
    if (!large && this.#spare.length < mostSpare) this.#spare.push(memory);
  }

  #growNumbers(): void {
    const numbers = new Float64Array(Math.max(this.#atOnce[0], smallestNumbers, 2 * this.#numbers.length));
    numbers.set(this.#numbers);
    this.#numbers = numbers;
  }

  #growBytes(room: number): void {
    // Its own memory, none of a pool: it goes to another thread.
    const needed = Math.max(this.#atOnce[1], smallestBytes, this.#length + room, 2 * this.#bytes.length);
    const bytes = Buffer.from(new ArrayBuffer(needed));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }
}

/** Gives what was written, in its order: each is read as it was written. */
export class TapeReader {
  readonly #tape: Tape;
  readonly #bytes: Buffer;
  #at = 0;
  #textAt = 0;

  constructor(tape: Tape) {
    this.#tape = tape;
    this.#bytes = Buffer.from(tape.bytes.buffer);
  }

  get done(): boolean {
    return this.#at >= this.#tape.count;
  }

  number(): number {
    this.#at += 1;
    return this.#tape.numbers[this.#at - 1] as number;
  }

  text(): string | undefined {
    const length = this.number();
    if (length === absent) return undefined;
    this.#textAt += length;
    return this.#bytes.toString('utf8', this.#textAt - length, this.#textAt);
  }

  word(): string | undefined {
    return this.#tape.words[this.number()];
  }
}
