/** Lines of JSON over a pair of streams, each at most 8 MiB: what is no message is told and left out. */
import type { Readable, Writable } from 'node:stream';
import { longestLine } from '../../schemas/host-link.ts';

export interface Lines {
  /** False when the message is longer than a line may be; then nothing was sent. */
  send(message: object): boolean;
  /** Hears of every object from now on, in order, of lines that are none, and once of the end. */
  listen(to: LineListener): void;
}

export interface LineListener {
  message(message: Record<string, unknown>): void;
  /** A sentence about a line that was left out. */
  bad(problem: string): void;
  end(): void;
}

const newline = 10;

export function createLines(input: Readable, output: Writable): Lines {
  let listener: LineListener | undefined;
  let parts: Buffer[] = [];
  let length = 0;
  let skipping = false;
  let ended = false;

  const end = (): void => {
    if (ended) return;
    ended = true;
    listener?.end();
  };

  const line = (last: Buffer): void => {
    const text = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    length = 0;
    if (skipping) {
      skipping = false;
      listener?.bad(`a line of more than ${longestLine} bytes was left out: pass a path, or an artefact, instead`);
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(text.toString('utf8'));
    } catch {
      listener?.bad(`a line is no JSON and was left out: ${text.subarray(0, 80).toString('utf8')}`);
      return;
    }
    if (typeof message === 'object' && message !== null && !Array.isArray(message)) {
      listener?.message(message as Record<string, unknown>);
    } else listener?.bad('a line is no JSON object and was left out');
  };

  const hear = (chunk: Buffer): void => {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      if (!skipping && length + at - from >= longestLine) skipping = true;
      line(chunk.subarray(from, at));
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    if (skipping || rest.length === 0) return;
    length += rest.length;
    if (length < longestLine) parts.push(rest);
    else {
      skipping = true;
      parts = [];
    }
  };

  // Whoever cannot be written to is gone.
  output.on('error', end);
  return {
    send(message) {
      const text = JSON.stringify(message);
      if (Buffer.byteLength(text) >= longestLine) return false;
      if (!ended) output.write(`${text}\n`);
      return true;
    },
    listen(to) {
      const first = listener === undefined;
      listener = to;
      if (!first) return;
      input.on('data', hear);
      input.on('end', end);
      input.on('close', end);
      input.on('error', end);
    },
  };
}
