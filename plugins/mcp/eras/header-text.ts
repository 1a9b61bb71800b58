/** The text that a header of a sessionless request carries: plain, or wrapped as base64 where HTTP could not carry it. */
import { isUtf8 } from 'node:buffer';

const [opening, closing] = ['=?base64?', '?='];
const plain = /^[\t\x20-\x7e]*$/;

/** Undefined for an absent header and for one that is malformed. */
export function headerText(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || !plain.test(header)) return undefined;
  if (!header.startsWith(opening) || !header.endsWith(closing) || header.length < opening.length + closing.length) {
    return header;
  }
  const encoded = header.slice(opening.length, -closing.length);
  const bytes = Buffer.from(encoded, 'base64');
  // Node reads whatever looks like base64: only what it would have written itself is.
  return bytes.toString('base64') === encoded && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}
