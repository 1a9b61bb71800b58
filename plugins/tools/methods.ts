/** The MCP methods tools/list and tools/call. */
import { isPromise, RawJson, type RpcHandler, rpcErrors, toSvcError } from '../../kernel/index.ts';
import { asksForDetails } from './detailed-entry.ts';
import { shapeOf } from './entry.ts';
import type { Listing } from './listing.ts';
import type { Pipeline } from './pipeline.ts';
import { encodeToolResult, errorResult, type ResultEncoder } from './result.ts';

/** Makes result texts, which the reply splices. */
export const textEncoder: ResultEncoder<RawJson> = {
  encode: (value, structured) => new RawJson(encodeToolResult(value, structured)),
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
  return (params, rpc) => {
    const { name, arguments: args = {}, _meta: meta = {} } = params;
    if (typeof name !== 'string' || name === '') {
      throw rpcErrors.INVALID_PARAMS({ reason: '"name" must be the name of a tool' });
    }
    if (!isObject(args)) throw rpcErrors.INVALID_PARAMS({ reason: '"arguments" must be an object' });
    if (!isObject(meta)) throw rpcErrors.INVALID_PARAMS({ reason: '"_meta" must be an object' });
    const input = { name, args, meta, rpc };
    if (rpc.era === 'session') return pipeline.run(input, textEncoder);
    try {
      const result = pipeline.run(input, textEncoder);
      return isPromise(result) ? result.catch(failureResult) : result;
    } catch (error) {
      return failureResult(error);
    }
  };
}

/** Sessionless requests get bad arguments and failed executions as results; the rest stays an error. */
function failureResult(error: unknown): RawJson {
  const { code, message, row, details } = toSvcError(error);
  if (row.rpc !== -32001 && row.rpc !== -32002) throw error;
  return textEncoder.adopt(errorResult(message, { code, message, ...details }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
