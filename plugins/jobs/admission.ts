/** Which calls become background jobs (specification: Job admission). Pure. */
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

/** Whether a validated call becomes a job; a timeout hint plays no part. */
export function admits(
  tool: Pick<ToolRecord, 'source' | 'execution'>,
  call: Pick<ToolCall, 'meta' | 'internal' | 'job'>,
): boolean {
  // Only tools of the host and of skills do work that may take long.
  if (tool.source !== 'host' && tool.source !== 'skill') return false;
  if (asksForJob(call.meta)) return true;
  // Code that calls a tool wants its result, unless its own caller waits for none.
  if (call.internal) return tool.execution === 'async' && call.job !== undefined;
  if (tool.execution === 'async') return true;
  return tool.execution === undefined && progressTokenOf(call.meta) !== undefined;
}
