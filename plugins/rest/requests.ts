/** Reads what clients send: what is wrong with it is a 400 that names the field (CONTRACT 4). */
import type { Json } from './api.ts';
import { restErrors } from './errors.ts';

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refuse = (reason: string, field: string) => restErrors.BAD_REQUEST({ reason, field });

export function requiredText(body: Json, field: string): string {
  const value = body[field];
  if (typeof value === 'string' && value !== '') return value;
  throw refuse(`"${field}" is required and must be a text`, field);
}

/** A text that is not empty, or nothing. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** Arguments of a call: an object, JSON text of one, or nothing at all. `params` is another name for them. */
export const callArguments = (body: Json): Json => objectOf(body.arguments ?? body.params, 'arguments');

/** `meta` (`_meta` in the MCP spelling): an object, JSON text of one, or nothing. */
export const callMeta = (body: Json): Json => objectOf(body.meta ?? body._meta, 'meta');

function objectOf(given: unknown, field: string): Json {
  if (given === undefined || given === null || given === '') return {};
  const value = typeof given === 'string' ? parsed(given) : given;
  if (isObject(value)) return value;
  throw refuse(`"${field}" must be an object, or JSON text of one`, field);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
