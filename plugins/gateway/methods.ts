/** The MCP methods tools/list and tools/call of the gateway. */

import { codecOf, type Ids, RawJson, type RpcContext, type RpcHandler, rpcErrors } from '../../kernel/index.ts';
import { isObject, type Json } from '../../schemas/loose.ts';
import { traceOf } from '../../schemas/traceparent.ts';
import type { Codec, Compaction, ResponseFormat } from '../rest/api.ts';
import type { Caller, GatewayService } from './api.ts';
import { explained } from './describe.ts';
import { gatewayErrors } from './errors.ts';
import type { InputCheck } from './tool-input.ts';
import { createToolResults } from './tool-result.ts';
import { type Operation, operationNamed, toolEntries } from './tools.ts';

/** tools/list: one page, always the same four. */
export function listMethod(codec: Codec): RpcHandler {
  const results = createToolResults(codec);
  const pages = new Map<string, RawJson>();
  return ({ cursor, _meta }, { protocolVersion }) => {
    if (cursor !== undefined) {
      throw rpcErrors.INVALID_PARAMS({ reason: '"cursor" is not one that this list gave: it has one page' });
    }
    const list = { tools: toolEntries(protocolVersion) };
    if (codec.named(_meta) === 'toon') return results.compacted(list);
    let page = pages.get(protocolVersion);
    if (!page) {
      page = new RawJson(JSON.stringify(list));
      pages.set(protocolVersion, page);
    }
    return page;
  };
}

/** A job whose instance is gone while its caller waits is an error of the protocol in 2025-03-26 (shape:call). */
const thrown = new Set(['SVC_GATEWAY_JOB_LOST']);

/** tools/call. Failures of the operations are results with `isError`, so that a model reads them. */
export function callMethod(
  gateway: GatewayService,
  ids: Pick<Ids, 'uuid'>,
  codec: Codec,
  check: InputCheck,
): RpcHandler {
  const results = createToolResults(codec);
  return async (params, rpc) => {
    const { name, arguments: given = {}, _meta: meta = {} } = params;
    if (typeof name !== 'string' || name === '') {
      throw rpcErrors.INVALID_PARAMS({ reason: '"name" must be the name of a tool' });
    }
    if (!isObject(given)) throw rpcErrors.INVALID_PARAMS({ reason: '"arguments" must be an object' });
    if (!isObject(meta)) throw rpcErrors.INVALID_PARAMS({ reason: '"_meta" must be an object' });
    const operation = operationNamed(name);
    if (!operation) throw gatewayErrors.TOOL_NOT_FOUND({ tool: name.slice(0, 80) });
    const { tool, inputSchema } = operation;
    const args = operation.spelled?.(given) ?? given;
    const format = codec.named(meta) ?? codec.named(args) ?? 'json';
    const batched = tool === 'call' && args.calls !== undefined;
    try {
      check(inputSchema, args);
      return await run({ gateway, results, tool, batched, format }, withMeta(args, meta), callerOf(rpc, meta, ids));
    } catch (error) {
      const ours = codecOf(rpc.protocolVersion) === 'specification';
      if (ours && thrown.has((error as { code?: string }).code ?? '')) throw error;
      const { error: told } = gateway.failure(error);
      return results.answer({ ...(batched && { success: false }), error: told }, format, 'none', true);
    }
  };
}

interface Asked {
  gateway: GatewayService;
  results: ReturnType<typeof createToolResults>;
  tool: Operation['tool'];
  batched: boolean;
  format: ResponseFormat;
}

async function run({ gateway, results, tool, batched, format }: Asked, body: Json, caller: Caller): Promise<RawJson> {
  const answered = (value: Json, compaction: Compaction = 'none') => results.answer(value, format, compaction);
  if (tool === 'search') return answered(await gateway.discover(body, caller), 'search');
  if (tool === 'describe') return answered(explained(await gateway.describe(body, caller)), 'describe');
  if (tool === 'load_skill') return answered(await gateway.loadSkill(body, caller));
  if (tool === 'unload_skill') return answered(await gateway.unloadSkill(body, caller));
  if (batched) return answered(await gateway.callBatch(body, caller), 'batch');
  return results.passed((await gateway.call(body, caller)).text, format);
}

/** `_meta` of the request and `meta` of the arguments are one; what the arguments say counts. */
function withMeta(args: Json, meta: Json): Json {
  if (Object.keys(meta).length === 0) return args;
  const { meta: own } = args;
  // What is no object is left for the operation to refuse.
  if (own !== undefined && own !== null && !isObject(own)) return args;
  return { ...args, meta: { ...meta, ...own } };
}

/** The instance says how long; it takes a question back when it waits no longer. */
const longestQuestionMs = 3_600_000;

function callerOf(rpc: RpcContext, { traceparent }: Json, ids: Pick<Ids, 'uuid'>): Caller {
  const { requestId } = rpc;
  const made = ids.uuid();
  return {
    requestId: requestId === undefined ? made : String(requestId),
    traceId: traceOf(traceparent)?.traceId ?? made.replaceAll('-', ''),
    session: rpc.session,
    rpcId: requestId,
    get signal() {
      return rpc.signal;
    },
    notify: (method, params) => rpc.notify(method, params),
    capabilities: rpc.clientCapabilities,
    ask: (method, params, off) =>
      rpc.request(method, params, longestQuestionMs, undefined, AbortSignal.any([rpc.signal, off])),
  };
}
