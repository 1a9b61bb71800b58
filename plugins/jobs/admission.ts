/** Which calls become background jobs (specification: Job admission). Pure. */
import { codecOf, type RpcContext } from '../../kernel/index.ts';
import type { ToolCall, ToolRecord } from '../tools/api.ts';

type Meta = Readonly<Record<string, unknown>>;

/** The caller's progress token when it is a valid one; `progress_token` counts only where `progressToken` is absent. */
export function progressTokenOf(meta: Meta): string | number | undefined {
  const token = 'progressToken' in meta ? meta.progressToken : meta.progress_token;
  if (typeof token === 'string') return token;
  return typeof token === 'number' && Number.isFinite(token) ? token : undefined;
}

/** Whether the caller asked for a job with `_meta.dcc.async`. */
export function asksForJob(meta: Meta): boolean {
  const { dcc } = meta;
  return typeof dcc === 'object' && dcc !== null && (dcc as { async?: unknown }).async === true;
}

/** Whether some call of the tool could become a job that its caller did not ask for in so many words. */
export const mayAdmit = (tool: Pick<ToolRecord, 'source' | 'execution'>): boolean =>
  (tool.source === 'host' || tool.source === 'skill') && tool.execution !== 'sync';

/** How a call that becomes a job is answered: with its receipt, or with its end if that comes soon enough. */
export type Admitted = 'receipt' | 'end';

/** Whether a validated call becomes a job, and how it is answered; a timeout hint plays no part. */
export function admits(
  tool: Pick<ToolRecord, 'source' | 'execution'>,
  call: Pick<ToolCall, 'meta' | 'internal' | 'job'> & {
    readonly rpc?: Pick<RpcContext, 'protocolVersion'> | undefined;
  },
): Admitted | undefined {
  // Only tools of the host and of skills do work that may take long.
  if (tool.source !== 'host' && tool.source !== 'skill') return undefined;
  if (asksForJob(call.meta)) return 'receipt';
  // Code that calls a tool wants its result, unless its own caller waits for none.
  if (call.internal) return tool.execution === 'async' && call.job !== undefined ? 'receipt' : undefined;
  if (tool.execution === 'async') return 'receipt';
  if (progressTokenOf(call.meta) === undefined) return undefined;
  // What the specification says of a token holds in its own revision, and over REST. Many clients of the later ones
  // always send one and want to see the result; a sessionless request is told of progress without a job.
  const codec = call.rpc ? codecOf(call.rpc.protocolVersion) : 'specification';
  if (codec === 'specification') return 'receipt';
  return codec === 'session' && tool.execution === undefined ? 'end' : undefined;
}
