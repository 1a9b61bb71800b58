/** Lines of text as bytes, in memory that is used again: what waits as bytes costs the garbage collection nothing. */

/** UTF-8 has no more bytes for one of JavaScript's characters. */
const bytesOfCharacter = 3;
const newline = 10;
const smallest = 64 * 1024;
/** More than this is let go of when it is empty. */
const largestKept = 8 * 1024 * 1024;

export class LineBuffer {
  #space = Buffer.alloc(0);
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
    const room = this.#space.length - this.#length;
    if (line.length * bytesOfCharacter >= room) this.#room(Buffer.byteLength(line) + 1);
    this.#length += this.#space.write(line, this.#length);
    this.#space[this.#length] = newline;
    this.#length += 1;
    this.#lines += 1;
  }

  /** All lines with their ends; valid until the next change. */
  bytes(): Buffer {
    return this.#space.subarray(0, this.#length);
  }

  /** The same in pieces of whole lines, `most` bytes each but for a line that is longer. */
  *pieces(most: number): Generator<Buffer> {
    const all = this.bytes();
    for (let from = 0; from < all.length; ) {
      const last = from + most >= all.length ? all.length - 1 : all.lastIndexOf(newline, from + most - 1);
      const end = (last < from ? all.indexOf(newline, from) : last) + 1;
      yield all.subarray(from, end);
      from = end;
    }
  }

  clear(): void {
    if (this.#space.length > largestKept) this.#space = Buffer.alloc(0);
    this.#length = 0;
    this.#lines = 0;
  }

  #room(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#space.length) return;
    const space = Buffer.allocUnsafeSlow(Math.max(smallest, needed, 2 * this.#space.length));
    this.bytes().copy(space);
    this.#space = space;
  }
}
