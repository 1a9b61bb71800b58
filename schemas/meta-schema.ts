/**
 * The JSON Schema meta-schemas, compiled once per process. That costs tens of milliseconds: nothing of it happens before
 * the server listens, and `warmMetaSchemas` does it in slices, so that the first skill does not pay for it.
 */
import timers from 'node:timers/promises';
import { Ajv, type Options } from 'ajv';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Dialect = 'modern' | 'draft7';

const roots: Readonly<Record<Dialect, string>> = {
  modern: 'https://json-schema.org/draft/2020-12/schema',
  draft7: 'http://json-schema.org/draft-07/schema',
};
const vocabularies = ['core', 'applicator', 'validation', 'unevaluated', 'meta-data', 'format-annotation', 'content'];
const engines = new Map<Dialect, Ajv>();

/** What makes `schema` an invalid schema of its dialect; nothing when it is a valid one. */
export function schemaErrors(schema: object, dialect: Dialect): ErrorObject[] | undefined {
  const validate = engine(dialect).getSchema(roots[dialect]);
  if (!validate) throw new Error(`ajv lacks the meta-schema of ${dialect}`);
  return validate(schema) ? undefined : (validate.errors ?? []);
}

/** Compiles the meta-schemas bit by bit, giving the event loop a turn between the bits. */
export async function warmMetaSchemas(): Promise<void> {
  const parts = vocabularies.map(name => roots.modern.replace(/schema$/, `meta/${name}`));
  for (const id of [...parts, ...Object.values(roots)]) {
    await timers.setImmediate(undefined, { ref: false });
    engine(id === roots.draft7 ? 'draft7' : 'modern').getSchema(id);
  }
}

function engine(dialect: Dialect): Ajv {
  const made = engines.get(dialect) ?? makeEngine(dialect);
  engines.set(dialect, made);
  return made;
}

/** A new engine of a dialect, with the formats. */
export function makeEngine(dialect: Dialect, more: Options = {}): Ajv {
  const options = { strict: false, validateSchema: false, logger: false, ...more } as const;
  const made = dialect === 'draft7' ? new Ajv(options) : (new Ajv2020(options) as unknown as Ajv);
  (addFormats as unknown as (ajv: Ajv) => void)(made);
  return made;
}
