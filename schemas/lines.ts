/** Messages as lines of text over a socket: read as whole lines, written together. */
import type { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/**
 * Gathers UTF-8 that arrives; `receive` hears the whole lines of a chunk at once. Of a line of more than `longest`
 * characters `tooLong` hears the beginning, and nobody the rest.
 */
export function createLineReader(
  longest: number,
  receive: (lines: string[]) => void,
  tooLong: (beginning: string) => void,
): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let length = 0;
  let skipping = false;

  const keep = (rest: string): void => {
    if (rest === '' || skipping) return;
    parts.push(rest);
    length += rest.length;
    if (length <= longest) return;
    tooLong((parts[0] ?? '').slice(0, beginningLength));
    skipping = true;
    parts = [];
    length = 0;
  };

  return chunk => {
    const text = decoder.write(chunk);
    const end = text.lastIndexOf('\n');
    if (end < 0) {
      keep(text);
      return;
    }
    let whole = parts.length === 0 ? text.slice(0, end) : parts.join('') + text.slice(0, end);
    if (skipping) {
      const next = whole.indexOf('\n');
      whole = next < 0 ? '' : whole.slice(next + 1);
    }
    skipping = false;
    parts = [];
    length = 0;
    if (whole !== '') receive(whole.split('\n'));
    keep(text.slice(end + 1));
  };
}

const beginningLength = 64;

/** About a packet: the other side works on these lines while more are made. */
const enough = 1400;

/**
 * Writes lines to `socket`: those of one turn of the loop go in few writes, since a write costs as much with one line as
 * with ten.
 */
export function createLineWriter(socket: Writable): (line: string) => void {
  let waiting = '';
  const flush = (): void => {
    const text = waiting;
    waiting = '';
    if (text !== '' && socket.writable) socket.write(text);
  };
  return line => {
    if (waiting === '') setImmediate(flush);
    waiting += `${line}\n`;
    if (waiting.length >= enough) flush();
  };
}
