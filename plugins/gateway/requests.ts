/** Reads what clients send: bodies, arguments, meta. What is wrong is a bad-request that names the field (shape:call). */
import { type Json, objectIn, objectOf } from '../../schemas/loose.ts';
import { gatewayErrors } from './errors.ts';

const refuse = (reason: string, field: string) => gatewayErrors.BAD_REQUEST({ reason, field });

export function requiredText(body: Json, field: string): string {
  const value = body[field];
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
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

/** `dcc` of a meta. */
export const dccOf = (meta: Json): Json => objectOf(meta.dcc);
