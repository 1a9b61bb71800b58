/** The check of one schema of one tool: compiled on first use, on the server's thread where that is sure to be quick. */
import type { Awaitable, JsonSchema, Problem, Schemas, Validator } from '../../kernel/index.ts';
import { isSurelyQuick } from '../../schemas/schema-risk.ts';
import type { ToolRecord } from './api.ts';
import { acceptsAnything } from './definition.ts';
import { toolErrors } from './errors.ts';
import type { SchemaGuard } from './schema-guard.ts';

export interface SchemaCheck {
  /** Throws or rejects with SVC_TOOLS_SCHEMA_INVALID or SVC_TOOLS_UNCHECKED. */
  check(value: unknown): Awaitable<Problem[] | undefined>;
  /** Whether `check` answers with a promise. */
  readonly apart: boolean;
  /** Forgets what was compiled; calls in flight keep theirs. */
  release(): void;
}

export function schemaCheck(
  { owner, action: tool, source }: Pick<ToolRecord, 'owner' | 'action' | 'source'>,
  field: 'input_schema' | 'output_schema',
  schema: JsonSchema,
  schemas: Schemas,
  guard: Pick<SchemaGuard, 'check'>,
): SchemaCheck {
  const open = field === 'input_schema' && acceptsAnything(schema);
  const ours = source === 'builtin' || source === 'internal';
  let apart: boolean | undefined;
  let validator: Validator | undefined;
  let released = false;

  const isApart = (): boolean => {
    apart ??= !open && !ours && !isSurelyQuick(schema);
    return apart;
  };

  const compile = (): Validator => {
    try {
      const made = schemas.compile(schema);
      // A call in flight may come here after the tool went.
      if (released) schemas.release(schema);
      return made;
    } catch (error) {
      throw toolErrors.SCHEMA_INVALID({ tool, field, reason: (error as Error).message }, error);
    }
  };

  const unchecked = (error: unknown): Error => {
    const what = field === 'input_schema' ? 'arguments' : 'result';
    // The stack is what a schema exhausts that refers to itself without end.
    const reason = error instanceof RangeError ? 'it is nested without end' : (error as Error).message;
    return toolErrors.UNCHECKED({ tool, what, field, reason }, error);
  };

  const checkApart = async (value: unknown): Promise<Problem[] | undefined> => {
    try {
      return await guard.check(owner, schema, value);
    } catch (error) {
      throw unchecked(error);
    }
  };

  const checkHere = (validate: Validator, value: unknown): Problem[] | undefined => {
    try {
      return validate(value);
    } catch (error) {
      throw unchecked(error);
    }
  };

  return {
    check(value) {
      if (open) return undefined;
      if (validator !== undefined) return checkHere(validator, value);
      if (isApart()) return checkApart(value);
      validator = compile();
      return checkHere(validator, value);
    },
    get apart() {
      return isApart();
    },
    release() {
      released = true;
      schemas.release(schema);
    },
  };
}
