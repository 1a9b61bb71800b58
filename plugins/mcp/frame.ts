/** One server message in the form in which event streams carry it: serialised once, shared by every receiver. */
import { levelRank } from './levels.ts';

/** Above this size the shared bytes are written as they are, instead of being copied behind each receiver's event id. */
const sharedFrom = 2048;

export class Frame {
  /** `data: <json>` and the blank line that ends an event. */
  readonly text: string;
  /** Severity of a log message, which a session may filter; undefined for anything else. */
  readonly level: number | undefined;
  #bytes: Buffer | undefined;

  constructor(json: string, level?: number) {
    // Only spliced JSON can hold line breaks, always between tokens; one would end the data line.
    const line = /[\r\n]/.test(json) ? json.replace(/[\r\n]+/g, ' ') : json;
    this.text = `data: ${line}\n\n`;
    this.level = level;
  }

  get size(): number {
    return this.text.length;
  }

  /** The shared bytes of a large frame; undefined when copying the text is cheaper. */
  get shared(): Buffer | undefined {
    if (this.text.length < sharedFrom) return undefined;
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }
}

/** A notification as a frame. */
export function notificationFrame(method: string, params: Record<string, unknown> = {}): Frame {
  const level = method === 'notifications/message' ? levelRank(params.level) : undefined;
  return new Frame(JSON.stringify({ jsonrpc: '2.0', method, params }), level);
}
