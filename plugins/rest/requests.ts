/** Reads the bodies of the POST routes: what is wrong with one is a 400 that names the field (CONTRACT 4). */
import { restErrors } from './errors.ts';

export type Body = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An absent body is an empty one. */
export function bodyOf(value: unknown): Body {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  throw restErrors.BAD_REQUEST({ reason: 'the body must be a JSON object' });
}

export function requiredText(body: Body, field: string): string {
  const value = body[field];
  if (typeof value === 'string' && value !== '') return value;
  throw restErrors.BAD_REQUEST({ reason: `"${field}" is required and must be a text`, field });
}

/** A text, or nothing when it is absent or something else. */
export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** Arguments of a call: an object, JSON text of one, or nothing at all. */
export function callArguments(body: Body): Record<string, unknown> {
  const given = body.arguments ?? body.params;
  if (given === undefined || given === null || given === '') return {};
  const value = typeof given === 'string' ? parsed(given) : given;
  if (isObject(value)) return value;
  throw restErrors.BAD_REQUEST({ reason: '"arguments" must be a JSON object', field: 'arguments' });
}

export function callMeta(body: Body): Record<string, unknown> {
  const { meta } = body;
  if (meta === undefined || meta === null) return {};
  const value = typeof meta === 'string' ? parsed(meta) : meta;
  if (isObject(value)) return value;
  throw restErrors.BAD_REQUEST({ reason: '"meta" must be a JSON object', field: 'meta' });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
