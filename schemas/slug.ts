/** Tool slugs of the gateway: `<host>.<id8>.<tool>` (shape:search). Pure. */

export interface Slug {
  readonly host: string;
  /** Prefix of 4 to 36 characters of an instance's UUID, or the whole. */
  readonly id: string;
  readonly tool: string;
}

/** The parts of a slug; the tool may have further dots. Undefined for what is none. */
export function parseSlug(text: string): Slug | undefined {
  if (text.length > 512) return undefined;
  const [, host = '', id = '', tool = ''] = /^([^.\s]+)\.([^.\s]+)\.(\S(?:.*\S)?)$/s.exec(text.trim()) ?? [];
  return isIdSegment(id) ? { host, id, tool } : undefined;
}

/** Hex digits of a prefix, or a UUID. */
export function isIdSegment(id: string): boolean {
  if (id.length < 4 || id.length > 36) return false;
  return /^[0-9a-f]+$/i.test(id) ? id.length <= 32 : /^[0-9a-f]{8}(-[0-9a-f]*){1,4}$/i.test(id);
}

export const slugOf = (dcc_type: string, instance_short: string, tool: string): string =>
  `${slugHost(dcc_type)}.${instance_short}.${tool}`;

/** A host type as slugs spell it: the dots and blanks of "cinema 4d" and "my.app" would end it too early. */
export const slugHost = (dcc_type: string): string => dcc_type.replace(/[.\s]+/g, '-');
