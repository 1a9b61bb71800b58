/** Which encoding an answer gets: the body's word, then the Accept header, then the configuration (shape:encoding). Pure. */
import { LRUCache } from 'lru-cache';
import type { ResponseFormat } from './api.ts';

const names: Readonly<Record<string, ResponseFormat>> = {
  json: 'json',
  'legacy-json': 'json',
  legacy_json: 'json',
  'application/json': 'json',
  toon: 'toon',
  compact: 'toon',
  'application/toon': 'toon',
  'application/x-toon': 'toon',
  'text/toon': 'toon',
};

/** Those that an Accept header may name. */
const mediaTypes = Object.fromEntries(Object.entries(names).filter(([name]) => name.includes('/')));

const fields = ['response_format', 'responseFormat', 'format', 'output_format'] as const;

/** The format that a body, or a `_meta`, names; nothing when it names none that is known. */
export function namedFormat(body: unknown): ResponseFormat | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const values = body as Readonly<Record<string, unknown>>;
  for (const field of fields) {
    const value = values[field];
    const known = typeof value === 'string' ? own(names, value.trim().toLowerCase()) : undefined;
    if (known) return known;
  }
  return values.compact === true ? 'toon' : undefined;
}

/** Of a read: JSON, unless its query or its Accept header asks for TOON. */
export function readFormat(query: unknown, accept: string | undefined): ResponseFormat {
  const { compact } = query as { compact?: unknown };
  const named = namedFormat(query) ?? (compact === 'true' || compact === '1' ? 'toon' : undefined);
  return named ?? acceptedFormat(accept) ?? 'json';
}

/** Headers that clients repeat; bounded, since anybody may send any. */
const known = new LRUCache<string, ResponseFormat | 'none'>({ max: 64 });

/** The first media type of an Accept header that is one of ours; weights are not looked at. */
export function acceptedFormat(accept: string | undefined): ResponseFormat | undefined {
  if (accept === undefined) return undefined;
  let format = known.get(accept);
  if (format === undefined) {
    format = readAccept(accept) ?? 'none';
    if (accept.length < 256) known.set(accept, format);
  }
  return format === 'none' ? undefined : format;
}

function readAccept(accept: string): ResponseFormat | undefined {
  for (const part of accept.split(',')) {
    const known = own(mediaTypes, (part.split(';', 1)[0] ?? '').trim().toLowerCase());
    if (known) return known;
  }
  return undefined;
}

const own = (table: Readonly<Record<string, ResponseFormat>>, key: string): ResponseFormat | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
