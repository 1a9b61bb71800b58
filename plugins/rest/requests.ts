/** Reads what clients send: what is wrong with it is a 400 that names the field (shape:family). */
import { type Json, objectIn } from '../../schemas/loose.ts';
import { restErrors } from './errors.ts';

const refuse = (reason: string, field: string) => restErrors.BAD_REQUEST({ reason, field });

export function requiredText(body: Json, field: string): string {
  const value = body[field];
  if (typeof value === 'string' && value !== '') return value;
  throw refuse(`"${field}" is required and must be a text`, field);
}

function object(given: unknown, field: string): Json {
  const found = objectIn(given);
  if (found) return found;
  throw refuse(`"${field}" must be an object, or JSON text of one`, field);
}

/** Arguments of a call: an object, JSON text of one, or nothing at all. `params` is another name for them. */
export const callArguments = (body: Json): Json => object(body.arguments ?? body.params, 'arguments');

/** `meta` (`_meta` in the MCP spelling): an object, JSON text of one, or nothing. */
export const callMeta = (body: Json): Json => object(body.meta ?? body._meta, 'meta');
