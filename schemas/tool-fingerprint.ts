/** What a tool says of itself, as one digest: who approved it knows it again, and sees when it says something else. Pure. */
import { createHash } from 'node:crypto';

export interface ToolWords {
  name: string;
  description: string;
  input_schema: unknown;
  output_schema?: unknown;
}

/** JSON with the members of every object in order of their names (RFC 8785): the same value has one text. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

export const digestOf = (value: unknown): string =>
  `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;

/** Of name, description and schemas, and of nothing else. A schema without `type` is one of objects. */
export const toolFingerprint = ({ name, description, input_schema, output_schema }: ToolWords): string =>
  digestOf({ name, description, input_schema: whole(input_schema ?? {}), output_schema: whole(output_schema ?? null) });

const whole = (schema: unknown): unknown =>
  typeof schema === 'object' && schema !== null && !('type' in schema) ? { type: 'object', ...schema } : schema;

/** Of several, by their names: of all that somebody says. */
export const fingerprintOfAll = (fingerprints: Readonly<Record<string, string>>): string =>
  digestOf(Object.entries(fingerprints).sort(([a], [b]) => (a < b ? -1 : 1)));
