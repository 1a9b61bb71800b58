/** The one ajv: schemas compiled once, released with their owner, failures told as sentences that name the field. */

import type { Ajv, ValidateFunction } from 'ajv';
import { type Dialect, makeEngine, schemaErrors } from '../schemas/meta-schema.ts';
import { explain, type Problem, summary } from '../schemas/problems.ts';
import { valuesIn } from '../schemas/value-size.ts';
import { ownValidators } from './own-validators.ts';

export type JsonSchema = Record<string, unknown>;

/** Returns the problems of a value; nothing when it is valid. Fills defaults in place where asked to. */
export type Validator = (value: unknown) => Problem[] | undefined;

export type Schemas = ReturnType<typeof createSchemas>;

type Kind = Dialect | 'defaults';

const fewValues = 1000;
const toItself = /"\$ref":"#\/?"/;
const draft7 = /json-schema\.org\/draft-0[67]\/schema/;

/** Released schemas after which an engine is replaced: ajv keeps about 9 KB of every compilation in its own scope. */
const engineLife = 256;

export function createSchemas() {
  const compiled = new Map<JsonSchema, Validator>();
  const engines = new Map<string, Ajv>();
  let released = 0;

  const engine = (kind: Kind, allErrors = false): Ajv => {
    const key = `${kind} ${allErrors}`;
    const options = { addUsedSchema: false, allErrors, useDefaults: kind === 'defaults' };
    const made = engines.get(key) ?? makeEngine(kind === 'draft7' ? kind : 'modern', options);
    engines.set(key, made);
    return made;
  };

  const compileIn = (given: JsonSchema, ajv: Ajv): ValidateFunction => {
    // Without a name of its own ajv does not find what "#" refers to.
    const named = given.$id === undefined && toItself.test(JSON.stringify(given));
    const schema = named ? { ...given, $id: 'svc:itself' } : given;
    // An async validator answers with a promise, which would pass for "valid".
    if (schema.$async !== undefined) throw new Error('"$async" schemas are not supported');
    try {
      return ajv.compile(schema) as ValidateFunction;
    } catch (error) {
      ajv.removeSchema(schema);
      throw error;
    } finally {
      if (named) ajv.removeSchema(schema);
    }
  };

  // The first problem decides; the others are looked for only in a value of modest size, because ajv makes an object
  // of every one and a hostile body can have millions.
  const build = (schema: JsonSchema, kind: Kind, origin?: 'own'): Validator => {
    const ahead = origin === 'own' ? ownValidators[`${kind} ${schema.$id}`] : undefined;
    const validate = ahead ?? compileIn(schema, engine(kind));
    return value => {
      if (validate(value)) return undefined;
      const first = validate.errors ?? [];
      if (valuesIn(value, fewValues) >= fewValues) return explain(first);
      const every = compileIn(schema, engine(kind, true));
      return explain(every(value) ? first : (every.errors ?? []));
    };
  };

  const dialectOf = (schema: JsonSchema): Dialect => (draft7.test(String(schema.$schema)) ? 'draft7' : 'modern');

  /** Why a schema is itself invalid; nothing when it is a valid one. */
  const check = (schema: JsonSchema): Problem[] | undefined => {
    const errors = schemaErrors(schema, dialectOf(schema));
    return errors && explain(errors);
  };

  return {
    check,
    /** Compiles once per schema object; throws when the schema itself is invalid, which is not asked of an `own` one. */
    compile(schema: JsonSchema, origin?: 'own'): Validator {
      const known = compiled.get(schema);
      if (known) return known;
      const problems = origin === 'own' ? undefined : check(schema);
      if (problems) throw new Error(`the schema is invalid: ${summary(problems)}`);
      const validator = build(schema, dialectOf(schema), origin);
      compiled.set(schema, validator);
      return validator;
    },
    /** Forgets a compiled schema, so that loading and unloading skills does not grow the process. */
    release(schema: JsonSchema): void {
      if (!compiled.delete(schema)) return;
      for (const allErrors of [false, true]) engines.get(`${dialectOf(schema)} ${allErrors}`)?.removeSchema(schema);
      released += 1;
      // Validators compiled earlier stay valid: they do not need their engine any more.
      if (released % engineLife === 0) engines.clear();
    },
    /** A validator of an own schema that fills in `default`s. */
    compileWithDefaults: (schema: JsonSchema): Validator => build(schema, 'defaults', 'own'),
  };
}
