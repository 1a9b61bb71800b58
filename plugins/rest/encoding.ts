/** Answers as text: JSON as it is, or TOON of its compact form. */
import { messageOf } from '../../kernel/index.ts';
import { accounting } from '../../schemas/token-accounting.ts';
import type { Codec, CompactForm, Encoded, ResponseFormat } from './api.ts';
import { compact } from './compact.ts';
import { restErrors } from './errors.ts';
import { namedFormat, readFormat } from './format.ts';

/** What is to be encoded: a value, or JSON text that is taken as it is. */
export type Source = { value: unknown } | { json: string };

const contentTypes: Readonly<Record<ResponseFormat, string>> = { json: 'application/json', toon: 'application/toon' };

let toToon: ((value: unknown) => string) | undefined;

/** Most servers are never asked for TOON: its encoder is loaded by the first who wants it. */
export async function loadToon(): Promise<void> {
  toToon ??= (await import('@toon-format/toon')).encode;
}

/** Throws SVC_REST_ENCODING for a value that has no such form. */
export function encodeAnswer(source: Source, format: ResponseFormat, form: CompactForm): Encoded {
  const json = 'json' in source ? source.json : jsonOf(source.value, format);
  const bytes = Buffer.byteLength(json);
  const contentType = contentTypes[format];
  if (format === 'json') return { text: json, contentType, format, accounting: accounting(bytes, bytes) };
  // From the text, so that both forms say the same: a Date is a text, undefined is not there.
  const text = toonOf(compact(JSON.parse(json), form, bytesOf));
  return { text, contentType, format, accounting: accounting(bytes, Buffer.byteLength(text)) };
}

/** TOON of a JSON value. */
function toonOf(value: unknown): string {
  try {
    if (!toToon) throw new Error('the encoder is not loaded');
    return toToon(value);
  } catch (error) {
    throw restErrors.ENCODING({ format: 'toon', reason: messageOf(error) }, error);
  }
}

const bytesOf = (value: unknown): [number, number] => [
  Buffer.byteLength(JSON.stringify(value)),
  Buffer.byteLength(toonOf(value)),
];

function jsonOf(value: unknown, format: ResponseFormat): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    throw restErrors.ENCODING({ format, reason: messageOf(error) }, error);
  }
}

export const codec: Codec = {
  ...{ load: loadToon, named: namedFormat, ofRead: readFormat },
  ...{ encode: encodeAnswer, toon: toonOf, accounting },
};
