/** Answers as text: JSON as it is, or TOON of its compact form. */
import { encode as toToon } from '@toon-format/toon';
import { messageOf } from '../../kernel/index.ts';
import type { Compaction, Encoded, Json, ResponseFormat } from './api.ts';
import { accounting, compact } from './compact.ts';
import { gatewayErrors } from './errors.ts';

/** What is to be encoded: a value, or JSON text that is taken as it is. */
export type Source = { value: unknown } | { json: string };

export const contentTypes: Readonly<Record<ResponseFormat, string>> = {
  json: 'application/json',
  toon: 'application/toon',
};

/** Throws SVC_GATEWAY_ENCODING for a value that has no such form. */
export function encodeAnswer(source: Source, format: ResponseFormat, compaction: Compaction): Encoded {
  const json = 'json' in source ? source.json : jsonOf(source.value, format);
  const bytes = Buffer.byteLength(json);
  const contentType = contentTypes[format];
  if (format === 'json') return { text: json, contentType, format, accounting: accounting(bytes, bytes) };
  // From the text, so that both forms say the same: a Date is a text, undefined is not there.
  const text = toonOf(compact(JSON.parse(json), compaction, bytesOf));
  return { text, contentType, format, accounting: accounting(bytes, Buffer.byteLength(text)) };
}

/** TOON of a JSON value. */
export function toonOf(value: unknown): string {
  try {
    return toToon(value);
  } catch (error) {
    throw gatewayErrors.ENCODING({ format: 'toon', reason: messageOf(error) }, error);
  }
}

const bytesOf = (value: unknown): [number, number] => [
  Buffer.byteLength(JSON.stringify(value)),
  Buffer.byteLength(toonOf(value as Json)),
];

function jsonOf(value: unknown, format: ResponseFormat): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    throw gatewayErrors.ENCODING({ format, reason: messageOf(error) }, error);
  }
}
