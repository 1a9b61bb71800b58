/** Validates parts of a manifest against their schemas, filling in the defaults. */
import { createSchemas, type JsonSchema, type Problem, summary, type Validator } from '../../../kernel/index.ts';
import type { Fields } from './manifest-keys.ts';
import { type ReasonCode, Rejection, type Warn } from './rejection.ts';
import type { Step } from './source-lines.ts';

const validators = new Map<object, Validator>();
const schemas = createSchemas();

/** What is validated, and how it is told. */
export interface Part {
  schema: object;
  reason: ReasonCode;
  label: string;
  /** Keys without which the part means nothing, or not what its author meant. */
  needed: readonly string[];
  warn: Warn;
  /** Where the part stands. */
  steps?: readonly Step[];
}

/**
 * `value` with defaults filled in, without the keys that are not what they should be: each is told as a warning.
 * Throws a Rejection when one of `needed` is at fault.
 */
export function check<T>(value: Fields, { schema, reason, label, needed, warn, steps = [] }: Part): T {
  const validate = validators.get(schema) ?? schemas.compileWithDefaults(schema as JsonSchema);
  validators.set(schema, validate);
  for (let problems = validate(value); problems; problems = validate(value)) {
    const faults = faultyKeys(value, problems);
    const fatal = [...faults.keys()].some(key => needed.includes(key));
    if (faults.size === 0 || fatal) {
      throw new Rejection(reason, `${label}: ${summary(problems)}`, {
        steps: [...steps, ...faults.keys()].slice(0, steps.length + 1),
      });
    }
    for (const [key, message] of faults) {
      delete value[key];
      warn(reason, `${label}: ${message}; the key is ignored`, { steps: [...steps, key] });
    }
  }
  return value as T;
}

/** The keys of `value` itself that `problems` are about, each with the first of them. */
function faultyKeys(value: Fields, problems: readonly Problem[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { field, message } of problems) {
    const key = Object.keys(value).find(each => field === each || field.startsWith(`${each}.`));
    if (key === undefined) continue;
    if (!found.has(key)) found.set(key, message);
  }
  return found;
}
