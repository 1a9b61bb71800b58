/** A request body as JSON: valid UTF-8, well formed, and free of keys that could poison a prototype. */
import { isUtf8 } from 'node:buffer';
import secureJson from 'secure-json-parse';
import { rpcErrors } from '../../kernel/index.ts';

/** The text of a body, without a byte order mark; throws SVC_RPC_PARSE. */
export function textOf(bytes: Buffer): string {
  if (bytes.length === 0) throw rpcErrors.PARSE({ reason: 'the body is empty' });
  if (!isUtf8(bytes)) throw rpcErrors.PARSE({ reason: 'the body is not valid UTF-8' });
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.toString('utf8', 3) : bytes.toString();
}

/** The value of a text; throws SVC_RPC_PARSE. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw rpcErrors.PARSE({ reason: (error as Error).message.slice(0, 200) });
  }
}

/** Throws SVC_RPC_INVALID_REQUEST for a value that could poison a prototype; apart, so that its id can be told. */
export function refusePoison(text: string, value: unknown): void {
  if (isSuspect(text)) scan(value);
}

/** Whether a text could hold a forbidden key, spelled plainly or with escapes: almost none does. */
const isSuspect = (text: string): boolean =>
  text.includes('__proto__') || text.includes('constructor') || text.includes('\\u00');

function scan(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const forbids = (key: string, options: Parameters<typeof secureJson.scan>[1]): void => {
    try {
      secureJson.scan(value, options);
    } catch {
      throw rpcErrors.INVALID_REQUEST({ reason: `the key "${key}" is forbidden` });
    }
  };
  forbids('__proto__', { protoAction: 'error', constructorAction: 'ignore' });
  forbids('constructor.prototype', { protoAction: 'ignore', constructorAction: 'error' });
}
