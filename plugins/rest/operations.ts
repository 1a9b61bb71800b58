/** The operations behind the negotiated routes: where each stands, what it takes, what it does with the service. */
import {
  CallBatchRequestSchema,
  CallRequestSchema,
  LoadSkillRequestSchema,
  RestDescribeRequestSchema,
  RestSearchRequestSchema,
  UnloadSkillRequestSchema,
} from '../../schemas/gateway.ts';
import type { CallAnswer, Compaction, Json, OperationName, RestCaller, RestService } from './api.ts';

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

const search: Operation = {
  name: 'search',
  summary: 'Search tools',
  body: RestSearchRequestSchema,
  compaction: 'search',
  isBatch: never,
  run: (service, body, caller) => service.search(body, caller),
};

export const describe: Operation = {
  name: 'describe',
  summary: 'Schema, annotations and place of one tool',
  body: RestDescribeRequestSchema,
  compaction: 'describe',
  isBatch: never,
  // Skills are described by an MCP tool; here a slug is asked for.
  run: (service, { skill_name: _, ...body }, caller) => service.describe(body, caller),
};

const loadSkill: Operation = {
  name: 'load_skill',
  summary: 'Load a skill or switch a tool group',
  body: LoadSkillRequestSchema,
  compaction: 'none',
  isBatch: never,
  run: (service, body, caller) => service.loadSkill(body, caller),
};

const unloadSkill: Operation = {
  name: 'unload_skill',
  summary: 'Unload a skill',
  body: UnloadSkillRequestSchema,
  compaction: 'none',
  isBatch: never,
  run: (service, body, caller) => service.unloadSkill(body, caller),
};

export const call: Operation = {
  name: 'call',
  summary: 'Call one tool by its slug, or several in order',
  body: CallRequestSchema,
  compaction: 'batch',
  isBatch: hasCalls,
  run: (service, body, caller) => (hasCalls(body) ? service.callBatch(body, caller) : service.call(body, caller)),
};

const callBatch: Operation = {
  name: 'call_batch',
  summary: 'Call several tools in order',
  body: CallBatchRequestSchema,
  compaction: 'batch',
  isBatch: () => true,
  run: (service, body, caller) => service.callBatch(body, caller),
};

export const operations: readonly Operation[] = [search, describe, loadSkill, unloadSkill, call, callBatch];
