/** The object that the bytes of a body or a file are, in which nobody can read two things. Pure. */
import { isUtf8 } from 'node:buffer';
import { duplicateKey } from './json-keys.ts';
import { isObject, type Json } from './loose.ts';

/** Throws what `refuse` makes. */
export function jsonObject(bytes: Uint8Array, refuse: (reason: string, cause?: unknown) => Error): Json {
  if (!isUtf8(bytes)) throw refuse('it is no UTF-8');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(`it is no JSON: ${(error as Error).message}`, error);
  }
  if (!isObject(value)) throw refuse('it is no JSON object');
  const twice = duplicateKey(text);
  if (twice !== undefined) throw refuse(`the key "${twice}" stands twice in one object`);
  return value;
}
