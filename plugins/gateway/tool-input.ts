/** What the gateway's own tools are given, held against the schemas that tools/list shows (shape:gateway-tools). */
import { type Schemas, summary, type Validator } from '../../kernel/index.ts';
import type { Json } from '../../schemas/loose.ts';
import { gatewayErrors } from './errors.ts';

export type InputCheck = (schema: InputSchema, args: Json) => void;

/** An advertised schema, as far as its members are looked at: what is required is the operation's to say. */
export interface InputSchema {
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Members that the operations read themselves, more leniently: objects may come as JSON text, an item may fail alone. */
const lenient = new Set(['arguments', 'meta', 'calls']);

/** Throws SVC_GATEWAY_BAD_REQUEST that names each wrong member. Members that no schema names are ignored. */
export function createInputCheck(schemas: Pick<Schemas, 'compile'>): InputCheck {
  const validators = new Map<InputSchema, Validator>();
  const validatorOf = (schema: InputSchema): Validator => {
    const strict = Object.entries(schema.properties).filter(([name]) => !lenient.has(name));
    return schemas.compile({ type: 'object', properties: Object.fromEntries(strict) }, 'own');
  };
  return (schema, args) => {
    const validate = validators.get(schema) ?? validatorOf(schema);
    validators.set(schema, validate);
    if (!validate(args)) return;
    // Models write what they leave out as null.
    const problems = validate(Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null)));
    if (problems) throw gatewayErrors.BAD_REQUEST({ reason: summary(problems), field: problems[0]?.field });
  };
}
