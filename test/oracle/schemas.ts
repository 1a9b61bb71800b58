/** The official JSON Schema of each revision, compiled definition by definition when one is first asked for. */
import { readFileSync } from 'node:fs';
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export interface Definitions {
  readonly names: ReadonlySet<string>;
  /** Definitions of requests and notifications by their method. */
  readonly byMethod: ReadonlyMap<string, string>;
  check(definition: string): ValidateFunction;
}

type Json = Record<string, unknown>;

const folder = new URL('../fixtures/mcp-schema/', import.meta.url);
const read = new Map<string, Definitions>();

/** Of one revision. */
export function definitionsOf(revision: string): Definitions {
  let found = read.get(revision);
  if (!found) {
    found = open(revision, JSON.parse(readFileSync(new URL(`${revision}.json`, folder), 'utf8')) as AnySchemaObject);
    read.set(revision, found);
  }
  return found;
}

function open(revision: string, schema: AnySchemaObject): Definitions {
  const key = '$defs' in schema ? '$defs' : 'definitions';
  const all = schema[key] as Record<string, Json>;
  correct(all);
  const options = { strict: false, allErrors: false, validateFormats: true };
  const ajv = key === '$defs' ? new Ajv2020(options) : new Ajv(options);
  formats.default(ajv);
  ajv.addFormat('byte', true);
  const id = `mcp://${revision}`;
  ajv.addSchema({ ...schema, $id: id });
  const byMethod = new Map<string, string>();
  for (const [name, each] of Object.entries(all)) {
    const method = (each.properties as Record<string, Json> | undefined)?.method?.const;
    if (typeof method === 'string') byMethod.set(method, name);
  }
  return {
    names: new Set(Object.keys(all)),
    byMethod,
    check(definition) {
      const found = ajv.getSchema(`${id}#/${key}/${definition}`);
      if (!found) throw new Error(`${revision} defines no ${definition}`);
      return found as ValidateFunction;
    },
  };
}

/** The generator took every number of a number field for an integer (2025-06-18 and 2025-11-25). */
function correct({ NumberSchema }: Record<string, Json>): void {
  const fields = (NumberSchema?.properties ?? {}) as Record<string, Json>;
  for (const name of ['minimum', 'maximum', 'default']) {
    if (fields[name]?.type === 'integer') fields[name] = { ...fields[name], type: 'number' };
  }
}
