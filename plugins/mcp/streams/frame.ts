/** One server message in the form in which event streams carry it: serialised once, shared by every receiver. */
import { levelRank } from './levels.ts';

/** Above this size the bytes are made once and shared, instead of being copied behind each receiver's event id. */
const sharedFrom = 2048;

const [head, tail] = ['data: ', '\n\n'];

export class Frame {
  /** `data: <json>` and the blank line that ends an event: a text, or the shared bytes of a large one. */
  readonly content: string | Buffer;
  /** Severity of a log message, which a session may filter; undefined for anything else. */
  readonly level: number | undefined;

  constructor(json: string, level?: number) {
    // Only spliced JSON can hold line breaks, always between tokens; one would end the data line.
    const line = /[\r\n]/.test(json) ? json.replace(/[\r\n]+/g, ' ') : json;
    this.content = line.length < sharedFrom ? `${head}${line}${tail}` : bytesOf(line);
    this.level = level;
  }

  /** The message alone. */
  get text(): string {
    return String(this.content).slice(head.length, -tail.length);
  }

  get size(): number {
    return this.content.length;
  }
}

/** Written into place: joining the strings first would copy a large one once more, and kept it would be kept twice. */
function bytesOf(line: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(head.length + Buffer.byteLength(line) + tail.length);
  bytes.write(head, 0, 'latin1');
  bytes.write(line, head.length);
  bytes.write(tail, bytes.length - tail.length, 'latin1');
  return bytes;
}

export function notificationFrame(method: string, params: Record<string, unknown> = {}): Frame {
  const level = method === 'notifications/message' ? levelRank(params.level) : undefined;
  return new Frame(JSON.stringify({ jsonrpc: '2.0', method, params }), level);
}
