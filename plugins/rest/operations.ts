/** The operations behind the negotiated routes: where each stands, what it takes, what it does with the service. */

import {
  CallBatchRequestSchema,
  CallRequestSchema,
  LoadSkillRequestSchema,
  RestDescribeRequestSchema,
  RestSearchRequestSchema,
  UnloadSkillRequestSchema,
} from '../../schemas/gateway.ts';
import type { Json } from '../../schemas/loose.ts';
import type { CallAnswer, Compaction, OperationName, RestCaller, RestService } from './api.ts';

export interface Operation {
  name: OperationName;
  summary: string;
  body: object;
  compaction: Compaction;
  /** Whether failures carry `success: false` at the top. */
  isBatch(body: Json): boolean;
  run(service: RestService, body: Json, caller: RestCaller): Promise<Json | CallAnswer>;
}

const never = (): boolean => false;
const hasCalls = (body: Json): boolean => body.calls !== undefined;

const operation = (
  name: OperationName,
  summary: string,
  body: object,
  compaction: Compaction,
  run: Operation['run'],
  isBatch: Operation['isBatch'] = never,
): Operation => ({ name, summary, body, compaction, run, isBatch });

export const describe = operation(
  'describe',
  'Schema, annotations and place of one tool',
  RestDescribeRequestSchema,
  'describe',
  // Skills are described by an MCP tool; here a slug is asked for.
  (service, { skill_name: _, ...body }, caller) => service.describe(body, caller),
);

export const call = operation(
  'call',
  'Call one tool by its slug, or several in order',
  CallRequestSchema,
  'batch',
  (service, body, caller) => (hasCalls(body) ? service.callBatch(body, caller) : service.call(body, caller)),
  hasCalls,
);

export const operations: readonly Operation[] = [
  operation('search', 'Search tools', RestSearchRequestSchema, 'search', (to, ...asked) => to.search(...asked)),
  describe,
  operation('load_skill', 'Load a skill or switch a tool group', LoadSkillRequestSchema, 'load', (to, ...asked) =>
    to.loadSkill(...asked),
  ),
  operation('unload_skill', 'Unload a skill', UnloadSkillRequestSchema, 'load', (to, ...asked) =>
    to.unloadSkill(...asked),
  ),
  call,
  operation(
    'call_batch',
    'Call several tools in order',
    CallBatchRequestSchema,
    'batch',
    (to, ...asked) => to.callBatch(...asked),
    () => true,
  ),
];
