/** Finds the end of HTTP answers in a stream of bytes with as little work as that takes: bodies are counted, not kept. */

export interface Answer {
  status: number;
  /** The body; empty unless bodies are kept. */
  text: string;
}

const headEnd = Buffer.from('\r\n\r\n');
const lengthName = 'content-length: ';

/** Returns a function to feed bytes to; `onAnswer` is called at the end of each answer. One answer is due at a time. */
export function createAnswerReader(keepBodies: boolean, onAnswer: (answer: Answer) => void): (bytes: Buffer) => void {
  let head: Buffer | undefined;
  let status = 0;
  /** Bytes of the body that are still to come; -1 for a chunked answer. */
  let missing = 0;
  let kept: Buffer[] = [];
  let tail = '';

  const finish = (): void => {
    const text = keepBodies ? Buffer.concat(kept).toString('utf8') : '';
    kept = [];
    tail = '';
    head = undefined;
    missing = 0;
    onAnswer({ status, text });
  };

  const feedBody = (bytes: Buffer): void => {
    if (keepBodies) kept.push(Buffer.from(bytes));
    if (missing >= 0) {
      missing -= bytes.length;
      if (missing === 0) finish();
      return;
    }
    // A chunked answer (an event stream) ends with the empty chunk, which may come in pieces.
    tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - 5))).slice(-5);
    if (tail === '0\r\n\r\n') finish();
  };

  return bytes => {
    if (status !== 0 && head === undefined && missing !== 0) return feedBody(bytes);
    head = head ? Buffer.concat([head, bytes]) : bytes;
    const split = head.indexOf(headEnd);
    if (split < 0) {
      // The bytes may be the socket's own buffer: what waits for more must be copied.
      head = Buffer.from(head);
      return;
    }
    const text = head.toString('latin1', 0, split);
    const at = text.toLowerCase().indexOf(lengthName);
    const body = head.subarray(split + headEnd.length);
    head = undefined;
    status = Number(text.slice(9, 12));
    missing = at < 0 ? -1 : Number.parseInt(text.slice(at + lengthName.length), 10);
    if (body.length > 0) feedBody(body);
    else if (missing === 0) finish();
  };
}
