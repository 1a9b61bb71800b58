/**
 * The output schema as clients see it. A call that is admitted as a background job answers with a receipt, and clients
 * hold structured content against the schema: so a tool that may become a job says that both forms are possible. Pure.
 */
import type { JsonSchema } from '../../kernel/index.ts';
import type { ReceiptForm, ToolRecord } from './api.ts';

/** References that would point elsewhere once the schema stands inside another. */
const rootedReference = /"\$(?:ref|dynamicRef)":"#(?!\/(?:\$defs|definitions)\/)/;

/** The schema to list; undefined when there is none, or none that would stay true. */
export function listedOutput(
  record: Pick<ToolRecord, 'output_schema' | 'source' | 'execution'>,
  receipt: ReceiptForm | undefined,
): JsonSchema | undefined {
  const { output_schema: declared } = record;
  if (declared === undefined || !receipt?.possible(record)) return declared;
  if (rootedReference.test(JSON.stringify(declared))) return undefined;
  const { $schema, $defs, definitions, ...result } = declared;
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    anyOf: [result, receipt.schema],
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}
