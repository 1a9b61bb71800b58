/** A request body as JSON: valid UTF-8, well formed, and free of keys that could poison a prototype. */
import { isUtf8 } from 'node:buffer';
import secureJson from 'secure-json-parse';
import { rpcErrors } from '../../kernel/index.ts';

/** Parses a body; throws SVC_RPC_PARSE or SVC_RPC_INVALID_REQUEST. */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw rpcErrors.PARSE({ reason: 'the body is empty' });
  if (!isUtf8(bytes)) throw rpcErrors.PARSE({ reason: 'the body is not valid UTF-8' });
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw rpcErrors.PARSE({ reason: (error as Error).message.slice(0, 200) });
  }
  if (isSuspect(text)) refusePoison(value);
  return value;
}

/** Whether a text could hold a forbidden key, spelled plainly or with escapes: almost none does. */
const isSuspect = (text: string): boolean =>
  text.includes('__proto__') || text.includes('constructor') || text.includes('\\u00');

function refusePoison(value: unknown): void {
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
