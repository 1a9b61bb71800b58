/** Validates parts of a manifest against their schemas, filling in the defaults. */
import { createSchemas, type JsonSchema, summary, type Validator } from '../../../kernel/index.ts';
import { type ReasonCode, Rejection } from './rejection.ts';

const validators = new Map<object, Validator>();
const schemas = createSchemas();

/** `value` with defaults filled in; throws a Rejection that names the fields at fault. */
export function check(schema: object, value: Record<string, unknown>, reason: ReasonCode, label: string): unknown {
  const validate = validators.get(schema) ?? schemas.compileWithDefaults(schema as JsonSchema);
  validators.set(schema, validate);
  const problems = validate(value);
  if (problems) throw new Rejection(reason, `${label}: ${summary(problems)}`);
  return value;
}
