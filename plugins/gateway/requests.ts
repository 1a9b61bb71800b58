/** Reads what clients send: bodies, arguments, meta. What is wrong is a bad-request that names the field (CONTRACT 4.4). */
import type { Json } from './api.ts';
import { gatewayErrors } from './errors.ts';

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refuse = (reason: string, field: string) => gatewayErrors.BAD_REQUEST({ reason, field });

export function requiredText(body: Json, field: string): string {
  const value = body[field];
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw refuse(`"${field}" is required and must be a text`, field);
}

/** A text that is not empty, or nothing. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string' && each !== '') : [];

/** Arguments of a call: an object, JSON text of one, or nothing at all. `params` is another name for them. */
export function callArguments(body: Json): Json {
  const given = body.arguments ?? body.params;
  if (isAbsent(given)) return {};
  const value = typeof given === 'string' ? parsed(given) : given;
  if (isObject(value)) return value;
  throw refuse('"arguments" must be an object, or JSON text of one', 'arguments');
}

/** `meta` (`_meta` in the MCP spelling): an object, JSON text of one, or nothing. */
export function callMeta(body: Json): Json {
  const given = body.meta ?? body._meta;
  if (isAbsent(given)) return {};
  const value = typeof given === 'string' ? parsed(given) : given;
  if (isObject(value)) return value;
  throw refuse('"meta" must be an object, or JSON text of one', 'meta');
}

/** `dcc` of a meta. */
export const dccOf = (meta: Json): Json => (isObject(meta.dcc) ? meta.dcc : {});

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
