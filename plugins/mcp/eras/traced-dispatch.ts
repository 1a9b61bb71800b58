/**
 * A request on its way to its method, as a span while somebody takes them (OpenTelemetry's conventions for MCP). The
 * context travels in `_meta`: what the headers say of it is put there, so that whoever runs the method looks in one place.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isPromise, type Reply, type Rpc, type RpcContext } from '../../../kernel/index.ts';
import { type Json, objectOf } from '../../../schemas/loose.ts';
import { isGateway } from '../../../schemas/on-behalf.ts';
import { traceContextOf } from '../../../schemas/traceparent.ts';
import type { Span, SpanAttributes, TracingService } from '../../telemetry/tracing/api.ts';

interface Message {
  readonly method?: unknown;
  readonly params?: unknown;
}

/** `message` passed `requestProblem`. */
export type Dispatch = (
  message: Message,
  context: RpcContext,
  headers: IncomingHttpHeaders,
) => ReturnType<Rpc['dispatch']>;

const longestText = 200;

export function createDispatch(rpc: Pick<Rpc, 'dispatch' | 'has'>, tracing: TracingService | undefined): Dispatch {
  const traced = (message: Message, context: RpcContext, headers: IncomingHttpHeaders, by: TracingService) => {
    const method = String(message.method);
    const params = objectOf(message.params);
    const meta = objectOf(params._meta);
    const own = traceContextOf(meta);
    const around = traceContextOf(headers);
    // What a gateway asks by itself, to know what is there, is no part of anybody's request.
    if (!own && !around && context.session && isGateway(context.session.clientCapabilities)) {
      return rpc.dispatch(message, context);
    }
    // Names that callers make up would never end.
    const known = rpc.has(method) || method.startsWith('notifications/') ? method : '_OTHER';
    const target = nameIn(method, params);
    const span = by.start({
      name: target === undefined ? known : `${known} ${target}`,
      kind: 'server',
      parent: own ?? around,
      link: own && around && own.traceparent !== around.traceparent ? around : undefined,
      attributes: attributesOf(known, target, context),
    });
    const outcome = rpc.dispatch(withContext(message, params, meta, span.context), context);
    if (!isPromise(outcome)) return ended(span, outcome as Reply | undefined);
    return (outcome as Promise<Reply | undefined>).then(reply => ended(span, reply));
  };

  return (message, context, headers) => {
    if (tracing?.on) return traced(message, context, headers, tracing);
    if (headers.traceparent === undefined) return rpc.dispatch(message, context);
    const params = objectOf(message.params);
    const meta = objectOf(params._meta);
    const around = meta.traceparent === undefined ? traceContextOf(headers) : undefined;
    return rpc.dispatch(around ? withContext(message, params, meta, around) : message, context);
  };
}

/** What is no `_meta` is left for the method to refuse. */
function withContext(message: Message, params: Json, meta: Json, context: object): Message {
  if (params._meta !== undefined && params._meta !== meta) return message;
  return { ...message, params: { ...params, _meta: { ...meta, ...context } } };
}

const text = (value: unknown): string => String(value).slice(0, longestText);

/** The tool or prompt that a request names. */
const nameIn = (method: string, { name }: Json): string | undefined =>
  (method === 'tools/call' || method === 'prompts/get') && typeof name === 'string' ? text(name) : undefined;

function attributesOf(method: string, target: string | undefined, context: RpcContext): SpanAttributes {
  const attributes: SpanAttributes = {
    'mcp.method.name': method,
    'mcp.protocol.version': context.protocolVersion,
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
  };
  if (context.requestId !== undefined) attributes['jsonrpc.request.id'] = text(context.requestId);
  if (context.session) attributes['mcp.session.id'] = context.session.id;
  if (method === 'prompts/get' && target !== undefined) attributes['gen_ai.prompt.name'] = target;
  if (method === 'tools/call') {
    attributes['gen_ai.operation.name'] = 'execute_tool';
    if (target !== undefined) attributes['gen_ai.tool.name'] = target;
  }
  return attributes;
}

function ended(span: Span, reply: Reply | undefined): Reply | undefined {
  const code = typeof reply === 'string' ? errorCode.exec(reply)?.[1] : undefined;
  if (code !== undefined) span.attributes['rpc.response.status_code'] = code;
  span.end(code ?? (reportsToolError(reply) ? 'tool_error' : undefined));
  return reply;
}

const errorCode = /^\{"jsonrpc":"2\.0",(?:"id":(?:-?\d+|null|"(?:[^"\\]|\\.)*"),)?"error":\{"code":(-?\d+)/;

/** Parsed only when it could. */
const reportsToolError = (reply: Reply | undefined): boolean =>
  typeof reply === 'string' &&
  reply.includes('"isError":true') &&
  objectOf(objectOf(JSON.parse(reply)).result).isError === true;
