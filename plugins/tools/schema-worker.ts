/** Thread entry of the schema guard: checks values against the schemas of one owner, and may be ended at any moment. */
import { parentPort } from 'node:worker_threads';
import { createPort } from '../../kernel/port.ts';
import { createSchemas } from '../../kernel/schema.ts';
import { channelOf } from '../../schemas/message-channel.ts';
import type { GuardedCheck } from './guarded-check.ts';

const schemas = createSchemas();
const known = new Map<number, ReturnType<typeof schemas.compile>>();

if (!parentPort) throw new Error('the schema guard is a worker');
createPort(
  // Whoever made this thread terminates it.
  channelOf(parentPort, () => undefined),
  {
    ready: () => null,
    check(asked) {
      const { key, schema, value } = asked as GuardedCheck;
      const validate = known.get(key) ?? schemas.compile(schema, 'own');
      known.set(key, validate);
      return validate(value) ?? null;
    },
  },
);
