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
    for (const [key, { message, entry }] of faults) {
      const list = value[key];
      if (entry !== undefined && Array.isArray(list)) value[key] = list.filter((_, index) => index !== entry);
      else delete value[key];
      const what = entry === undefined ? 'key' : 'entry';
      warn(reason, `${label}: ${message}; the ${what} is ignored`, { steps: [...steps, key] });
    }
  }
  return value as T;
}

interface Fault {
  message: string;
  /** Of a list that the key holds: only that entry is at fault. */
  entry?: number;
}

/** The keys of `value` itself that `problems` are about, each with the first of them. */
function faultyKeys(value: Fields, problems: readonly Problem[]): Map<string, Fault> {
  const found = new Map<string, Fault>();
  for (const { field, message } of problems) {
    const key = Object.keys(value).find(each => field === each || field.startsWith(`${each}.`));
    if (key === undefined || found.has(key)) continue;
    const [, index] = /^\.(\d+)(?:\.|$)/.exec(field.slice(key.length)) ?? [];
    found.set(key, { message, ...(index !== undefined && Array.isArray(value[key]) && { entry: Number(index) }) });
  }
  return found;
}
