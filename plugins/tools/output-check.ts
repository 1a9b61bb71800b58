/** What a tool returned, held against the output schema that it declares. */
import { type Awaitable, after, type Problem, summary } from '../../kernel/index.ts';
import type { Call } from './call.ts';
import { toolErrors } from './errors.ts';
import { meaning, meaningsOf, reportsSuccess, structuredValue } from './result.ts';

/** The value as its tool declares it; throws when it is not. */
export function checkOutput({ registered, tool }: Call, value: unknown): Awaitable<unknown> {
  const { name, output_schema, source } = tool;
  if (output_schema === undefined || !reportsSuccess(value)) return value;
  const structured = structuredValue(value);
  if (structured === undefined) {
    const reason = 'it declares an output_schema but returned no object';
    throw toolErrors.FAILED({ tool: name, reason });
  }
  const orElse = (meanings: readonly object[], problems: Problem[]): Awaitable<unknown> => {
    const [next, ...rest] = meanings;
    if (next === undefined) {
      const reason = `its result does not match its output_schema: ${summary(problems)}`;
      throw toolErrors.FAILED({ tool: name, reason, problems });
    }
    return after(registered.checkOutput(next), still => (still ? orElse(rest, problems) : meaning(structured, next)));
  };
  return after(registered.checkOutput(structured), problems =>
    problems ? orElse(source === 'skill' ? meaningsOf(structured) : [], problems) : value,
  );
}
