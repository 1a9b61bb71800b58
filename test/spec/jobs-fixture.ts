/** Servers with background jobs, and what a client sees of a job. */
import { onTestFinished } from 'vitest';
import type { ServerOptions } from '../../plugins/index.ts';
import type { ToolDefinition } from '../../schemas/tool.ts';
import { waitFor } from '../helper.ts';
import { type Running, type Server, startConnected } from './fixture.ts';
import type { Json, Wire } from './wire.ts';

export const asyncTool = { execution: 'async' } as const;
export const terminal = ['completed', 'failed', 'cancelled', 'interrupted'];

/** A handler that waits until `open()`, or until its call is aborted. */
export function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  onTestFinished(() => open());
  const handler = async (args: Json, { signal }: { signal: AbortSignal }): Promise<unknown> => {
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('stopped'))),
    );
    await Promise.race([opened, aborted]);
    return args;
  };
  return { handler, open: () => open() };
}

/** Changes to a definition; without `execution` the tool is asynchronous, with undefined it says nothing. */
export type JobDefinition = Omit<Partial<ToolDefinition>, 'execution'> & { execution?: 'sync' | 'async' | undefined };

export type Tools = Record<string, [handler: Parameters<Server['registerTool']>[1], definition?: JobDefinition]>;

/** A connected client of a server with `tools`. */
export const serveJobs = (tools: Tools, options: ServerOptions = {}): Promise<Running & { client: Wire }> =>
  startConnected(options, server => {
    for (const [name, [handler, definition]] of Object.entries(tools)) {
      const { execution = undefined, ...rest } = { ...asyncTool, ...definition };
      server.registerTool({ name, ...rest, ...(execution && { execution }) }, handler);
    }
  });

/** Starts `tool` in the background; returns the job's id. */
export async function launch(client: Wire, tool: string, args: Json = {}, meta?: Json): Promise<string> {
  const { structuredContent } = await client.call(tool, args, meta);
  return String((structuredContent as Json | undefined)?.job_id);
}

/** The record of a job. */
export async function recordOf(client: Wire, job_id: string, more: Json = {}): Promise<Json> {
  const { structuredContent } = await client.call('jobs_get_status', { job_id, ...more });
  return (structuredContent ?? {}) as Json;
}

/** The record of a job once `fits`. */
export const recordWhen = (client: Wire, job_id: string, fits: (record: Json) => boolean): Promise<Json> =>
  waitFor(async () => {
    const record = await recordOf(client, job_id);
    return fits(record) ? record : undefined;
  }, `job ${job_id}`);

export const ended = (client: Wire, job_id: string): Promise<Json> =>
  recordWhen(client, job_id, ({ status }) => terminal.includes(String(status)));

export const running = (client: Wire, job_id: string): Promise<Json> =>
  recordWhen(client, job_id, ({ status }) => status === 'running');
