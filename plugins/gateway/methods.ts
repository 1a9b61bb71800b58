/** The MCP methods tools/list and tools/call of the gateway. */

import { codecOf, type Ids, RawJson, type RpcContext, type RpcHandler, rpcErrors } from '../../kernel/index.ts';
import { Abandonment } from '../../schemas/abandonment.ts';
import { isObject, type Json, text } from '../../schemas/loose.ts';
import { withoutKey } from '../../schemas/on-behalf.ts';
import { spanIn, traceOf } from '../../schemas/traceparent.ts';
import type { Codec, Compaction, ResponseFormat } from '../rest/api.ts';
import type { TracingService } from '../telemetry/tracing/api.ts';
import type { Caller, GatewayService } from './api.ts';
import { explained } from './describe.ts';
import { gatewayErrors } from './errors.ts';
import type { InputCheck } from './tool-input.ts';
import { createToolResults, type Wish } from './tool-result.ts';
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

export interface CallMethodDeps {
  gateway: GatewayService;
  ids: Pick<Ids, 'uuid'>;
  codec: Codec;
  check: InputCheck;
  /** For who names no format. */
  unnamed: ResponseFormat;
  tracing: TracingService | undefined;
}

/** tools/call. Failures of the operations are results with `isError`, so that a model reads them. */
export function callMethod(deps: CallMethodDeps): RpcHandler {
  const { gateway, codec, check, unnamed } = deps;
  const results = createToolResults(codec);
  /** For who names none: 2025-03-26 is the specification's to the letter, and there the compact form is asked for. */
  const formatFor = ({ protocolVersion }: RpcContext): ResponseFormat =>
    codecOf(protocolVersion) === 'specification' ? 'json' : unnamed;
  return async (params, rpc) => {
    const { name, arguments: given = {}, _meta: meta = {} } = params;
    if (typeof name !== 'string' || name === '') {
      throw rpcErrors.INVALID_PARAMS({ reason: '"name" must be the name of a tool' });
    }
    if (!isObject(given)) throw rpcErrors.INVALID_PARAMS({ reason: '"arguments" must be an object' });
    if (!isObject(meta)) throw rpcErrors.INVALID_PARAMS({ reason: '"_meta" must be an object' });
    const operation = operationNamed(name);
    if (!operation) {
      const { message, details } = gateway.meant(name) ?? {};
      const hint = message === undefined ? '' : `: ${message}`;
      throw gatewayErrors.TOOL_NOT_FOUND({ ...details, tool: name.slice(0, 80), hint });
    }
    const { tool, inputSchema } = operation;
    const args = operation.spelled?.(given) ?? given;
    const named = codec.named(meta) ?? codec.named(args);
    const format = named ?? formatFor(rpc);
    const wish: Wish = { format, named: named !== undefined, asked: args };
    const batched = tool === 'call' && args.calls !== undefined;
    try {
      check(inputSchema, args);
      const caller = callerOf(rpc, meta, deps, format === 'toon');
      return await run({ gateway, results, tool, batched, wish }, withMeta(args, meta), caller);
    } catch (error) {
      const ours = codecOf(rpc.protocolVersion) === 'specification';
      if (ours && thrown.has((error as { code?: string }).code ?? '')) throw error;
      const { error: told } = gateway.failure(error);
      return results.answer({ ...(batched && { success: false }), error: told }, wish, 'failure', true);
    }
  };
}

interface Asked {
  gateway: GatewayService;
  results: ReturnType<typeof createToolResults>;
  tool: Operation['tool'];
  batched: boolean;
  wish: Wish;
}

async function run({ gateway, results, tool, batched, wish }: Asked, body: Json, caller: Caller): Promise<RawJson> {
  const answered = (value: Json, kind: Compaction) => results.answer(value, wish, kind);
  if (tool === 'search') return answered(await gateway.discover(body, caller), 'search');
  if (tool === 'describe') return answered(explained(await gateway.describe(body, caller)), 'describe');
  if (tool === 'load_skill') return answered(await gateway.loadSkill(body, caller), 'load');
  if (tool === 'unload_skill') return answered(await gateway.unloadSkill(body, caller), 'load');
  if (tool === 'lease') return answered(await gateway.lease(body), 'none');
  if (batched) return answered(await gateway.callBatch(body, caller), 'batch');
  const { text, told } = await gateway.call(body, caller);
  return results.passed(text, wish, told);
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

/** While spans are taken, the `_meta` has the one of this request; otherwise it is as the client sent it. */
function callerOf(rpc: RpcContext, meta: Json, { ids, tracing }: CallMethodDeps, compact: boolean): Caller {
  const { requestId, http } = rpc;
  const made = ids.uuid();
  const taken = tracing?.on ? traceOf(meta.traceparent) : undefined;
  const { traceId, traceparent } = taken
    ? { ...taken, traceparent: String(meta.traceparent) }
    : spanIn(made, meta.traceparent);
  const signal = new Abandonment();
  rpc.onCancel(() => signal.abort());
  // No member of it is a getter: what one of an object's own reaches is freed by no collection but a full one (measured).
  return {
    requestId: requestId === undefined ? made : String(requestId),
    traceId,
    traceparent,
    arrived: performance.now(),
    http,
    clientInfo: rpc.clientInfo,
    compact,
    session: rpc.session,
    client: text(rpc.clientInfo.name),
    rpcId: requestId,
    signal,
    notify: (method, params) => rpc.notify(method, params),
    capabilities: rpc.clientCapabilities,
    closeStream: retryMs => rpc.closeStream?.(retryMs),
    ask(method, asked, off) {
      const { params, key } = withoutKey(asked);
      return rpc.request(method, params, longestQuestionMs, key, AbortSignal.any([rpc.signal, off]));
    },
  };
}
