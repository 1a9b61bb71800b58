/** Reads the fields of a call that clients send, leniently (shape:call); what is wrong with one is told by whoever asks. Pure. */
import { type Json, objectIn } from './loose.ts';

/** `refuse` makes the error that names the field. */
export function requestFields(refuse: (reason: string, field: string) => Error) {
  const object = (given: unknown, field: string): Json => {
    const found = objectIn(given);
    if (found) return found;
    throw refuse(`"${field}" must be an object, or JSON text of one`, field);
  };

  return {
    /** A text, without the blanks around it. */
    requiredText(body: Json, field: string): string {
      const value = body[field];
      if (typeof value === 'string' && value.trim() !== '') return value.trim();
      throw refuse(`"${field}" is required and must be a text`, field);
    },
    /** Arguments of a call: an object, JSON text of one, or nothing at all. `params` is another name for them. */
    callArguments: (body: Json): Json => object(body.arguments ?? body.params, 'arguments'),
    /** `meta` (`_meta` in the MCP spelling): an object, JSON text of one, or nothing. */
    callMeta: (body: Json): Json => object(body.meta ?? body._meta, 'meta'),
  };
}
