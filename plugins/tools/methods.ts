/** The MCP methods tools/list and tools/call. */
import {
  after,
  codecOf,
  RawJson,
  type RpcContext,
  type RpcHandler,
  rpcErrors,
  toRpcError,
} from '../../kernel/index.ts';
import { behind, isGateway } from '../../schemas/on-behalf.ts';
import { withDuration } from '../../schemas/tool-duration.ts';
import { asksForDetails } from './detailed-entry.ts';
import { shapeOf } from './entry.ts';
import type { Listing } from './listing.ts';
import type { Pipeline } from './pipeline.ts';
import { nextTools } from './presented.ts';
import { encodeToolResult, failedResult, type ResultEncoder } from './result.ts';

/** Makes result texts, which the reply splices. */
export const textEncoder: ResultEncoder<RawJson> = {
  encode: (value, structured, mostBytes) => new RawJson(encodeToolResult(value, structured, mostBytes)),
  adopt: result => new RawJson(JSON.stringify(result)),
};

export function listMethod(listing: Listing): RpcHandler {
  return ({ cursor, _meta }, { protocolVersion }) => {
    const refresh = (_meta as { dcc?: { refresh?: unknown } } | undefined)?.dcc?.refresh === true;
    return listing.page(asksForDetails(_meta) ? 'detailed' : shapeOf(protocolVersion), cursor, refresh);
  };
}

/** tools/call; answers synchronously when the tool does. */
export function callMethod(pipeline: Pipeline): RpcHandler {
  const call: RpcHandler = (params, rpc) => {
    const { name, arguments: args = {}, _meta: meta = {} } = params;
    if (typeof name !== 'string' || name === '') {
      throw rpcErrors.INVALID_PARAMS({ reason: '"name" must be the name of a tool' });
    }
    if (!isObject(args)) throw rpcErrors.INVALID_PARAMS({ reason: '"arguments" must be an object' });
    if (!isObject(meta)) throw rpcErrors.INVALID_PARAMS({ reason: '"_meta" must be an object' });
    if (behind(meta).timed !== true || !isGateway(rpc.session?.clientCapabilities ?? {})) {
      return pipeline.run({ name, args, meta, rpc }, textEncoder);
    }
    began.set(rpc, performance.now());
    return after(pipeline.run({ name, args, meta, rpc }, textEncoder), result => timed(result, rpc));
  };
  /** Calls whose gateway wants to know how long they take. */
  const began = new WeakMap<RpcContext, number>();
  const timed = (result: RawJson, rpc: RpcContext): RawJson => {
    const since = began.get(rpc);
    return since === undefined ? result : new RawJson(withDuration(result.text, performance.now() - since));
  };
  const recovered = recoveryOf(pipeline);
  call.recovered = (error, rpc) => {
    const result = recovered(error, rpc);
    return result && timed(result, rpc);
  };
  return call;
}

/**
 * The result in place of an error, from 2025-06-18 on: a failed call of a tool is for the model to read. What the
 * protocol has a number for (a capability that the client lacks) stays an error, as does a tool that does not exist.
 */
function recoveryOf({ refused }: Pick<Pipeline, 'refused'>) {
  return (error: unknown, { protocolVersion }: RpcContext): RawJson | undefined => {
    const codec = codecOf(protocolVersion);
    const tool = codec === 'specification' ? undefined : refused(error);
    if (tool === undefined || isProtocols(toRpcError(error, codec).code)) return undefined;
    const result = failedResult(error);
    const next = nextTools(tool, false);
    return textEncoder.adopt(next === undefined ? result : { ...result, _meta: { ...next, ...result._meta } });
  };
}

/** Numbers that MCP itself gives a meaning. */
const isProtocols = (code: number): boolean => code <= -32020 && code >= -32099;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
