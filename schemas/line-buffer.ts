/** Lines of text as bytes, in memory that is used again: what waits as bytes costs the garbage collection nothing. */

/** Whole lines with their ends, and how many they are. */
export interface LinePiece {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly lines: number;
}

/** UTF-8 has no more bytes for one of JavaScript's characters. */
const bytesOfCharacter = 3;
const newline = 10;
/** More lines get another piece: one that grows would have to be copied, and memory that is new is dear. */
const pieceBytes = 1024 * 1024;
/** Pieces whose memory stays. */
const mostKept = 8;

export class LineBuffer {
  #full: LinePiece[] = [];
  readonly #spare: Buffer<ArrayBuffer>[] = [];
  #space = Buffer.alloc(0);
  #filled = 0;
  #linesHere = 0;
  #length = 0;
  #lines = 0;

  get lines(): number {
    return this.#lines;
  }

  get length(): number {
    return this.#length;
  }

  /** A line without its end. */
  add(line: string): void {
    const room = this.#space.length - this.#filled;
    if (line.length * bytesOfCharacter >= room) this.#room(Buffer.byteLength(line) + 1);
    const from = this.#filled;
    this.#filled += this.#space.write(line, from);
    this.#space[this.#filled] = newline;
    this.#filled += 1;
    this.#length += this.#filled - from;
    this.#linesHere += 1;
    this.#lines += 1;
  }

  /** All lines, a megabyte of them in a piece, or one that is longer; valid until the next change. */
  pieces(): LinePiece[] {
    return this.#filled === 0 ? [...this.#full] : [...this.#full, this.#piece()];
  }

  clear(): void {
    const spaces = [...this.#full.map(each => each.bytes), this.#space].map(each => Buffer.from(each.buffer));
    for (const each of spaces) if (each.length === pieceBytes && this.#spare.length < mostKept) this.#spare.push(each);
    this.#full = [];
    this.#next(this.#spare.pop() ?? Buffer.alloc(0));
    [this.#length, this.#lines] = [0, 0];
  }

  #piece(): LinePiece {
    return { bytes: this.#space.subarray(0, this.#filled), lines: this.#linesHere };
  }

  #room(bytes: number): void {
    if (this.#filled + bytes <= this.#space.length) return;
    if (this.#filled > 0) this.#full.push(this.#piece());
    // Its own memory, none of a pool.
    const own = bytes > pieceBytes ? Buffer.allocUnsafeSlow(bytes) : this.#spare.pop();
    this.#next(own ?? Buffer.allocUnsafeSlow(pieceBytes));
  }

  #next(space: Buffer<ArrayBuffer>): void {
    this.#space = space;
    [this.#filled, this.#linesHere] = [0, 0];
  }
}
