/** What the schema guard sends to its threads. */
import type { JsonSchema } from '../../kernel/index.ts';

/** One check. */
export interface GuardedCheck {
  /** Names the schema within its thread. */
  key: number;
  schema: JsonSchema;
  value: unknown;
}
