/** A reply of JSON-RPC 2.0 as it is sent, its result written once. Pure. */
import type { RpcId } from './rpc-message.ts';

/** JSON that is text already: spliced into the reply, never parsed or stringified again. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A result as UTF-8 bytes *followed by the closing brace of the reply*, so that a reply is two writes. */
export class RawBytes {
  readonly bytes: Buffer;
  constructor(resultJson: string) {
    this.bytes = Buffer.from(`${resultJson}}`);
  }
}

/** An encoded reply: one string, or a head to be followed by shared bytes. */
export type Reply = string | { readonly head: string; readonly bytes: Buffer };

export function encodeResult(id: RpcId, result: unknown): Reply {
  const head = `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`;
  if (result instanceof RawJson) return `${head}${result.text}}`;
  if (result instanceof RawBytes) return { head, bytes: result.bytes };
  return `${head}${JSON.stringify(result ?? {}) ?? '{}'}}`;
}

/** A reply as one string, for batches and event streams. */
export function replyText(reply: Reply): string {
  return typeof reply === 'string' ? reply : reply.head + reply.bytes.toString('utf8');
}
