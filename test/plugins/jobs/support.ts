/** A server with background jobs on a real port, and a client of its MCP endpoint. */
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { Plugin } from '../../../kernel/index.ts';
import { orderPlugins } from '../../../kernel/index.ts';
import type { ServerOptions } from '../../../plugins/index.ts';
import type { JobUpdate, ReportedProgress } from '../../../plugins/jobs/api.ts';
import type { ToolEntry, ToolHandler } from '../../../plugins/tools/api.ts';
import type { ToolDefinition } from '../../../schemas/tool.ts';
import { listeningApp, waitFor } from '../../helper.ts';
import { plugins } from './plugin-list.ts';

export type Fields = Record<string, unknown>;

export interface Answer {
  result?: { content: { text: string }[]; structuredContent?: Fields; isError?: boolean; _meta?: Fields };
  error?: { code: number; message: string; data: Fields };
}

export interface Client {
  session: string;
  call(name: string, args?: Fields, meta?: Fields): Promise<Answer>;
  /** Structured content of the answer. */
  value(name: string, args?: Fields, meta?: Fields): Promise<Fields>;
  /** Messages of the standing stream so far; opens it. */
  listen(): Promise<{ method: string; params: Fields }[]>;
  close(): void;
}

export interface JobChange {
  kind: 'transition' | 'progress';
  row: Partial<JobUpdate> & { job_id: string; progress?: ReportedProgress };
}

export interface Rig {
  app: FastifyInstance;
  url: string;
  client: Client;
  connect(): Promise<Client>;
  /** Every change of a job, in order, as the bus told it. */
  changes: JobChange[];
  publish(...entries: ToolEntry[]): void;
  /** The record of a job once it is terminal. */
  ended(jobId: unknown): Promise<Fields>;
}

export { plugins };

let lastId = 0;

export async function connect(url: string): Promise<Client> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const post = (body: Fields, headers: Fields = {}) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      headers: { 'content-type': 'application/json', accept: 'application/json', ...(headers as object) },
    });
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const hello = await post({ id: 0, method: 'initialize', params });
  await hello.text();
  const session = String(hello.headers.get('mcp-session-id'));
  const headers = { 'mcp-session-id': session };
  const received: { method: string; params: Fields }[] = [];
  let listening: Promise<void> | undefined;

  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of stream) {
        text += decoder.decode(chunk, { stream: true });
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          const data = event.split('\n').find(line => line.startsWith('data: '));
          if (data && data.length > 6) received.push(JSON.parse(data.slice(6)));
        }
      }
    } catch {
      // The connection ended.
    }
  };

  const client: Client = {
    session,
    async call(name, args = {}, meta) {
      lastId += 1;
      const body = {
        id: lastId,
        method: 'tools/call',
        params: { name, arguments: args, ...(meta && { _meta: meta }) },
      };
      return (await (await post(body, headers)).json()) as Answer;
    },
    async value(name, args, meta) {
      const { result, error } = await client.call(name, args, meta);
      if (error) throw new Error(error.message);
      return result?.structuredContent ?? {};
    },
    async listen() {
      listening ??= fetch(`${url}/mcp`, {
        headers: { ...headers, accept: 'text/event-stream' },
        signal: controller.signal,
      }).then(({ body }) => {
        if (body) void read(body);
      });
      await listening;
      return received;
    },
    close: () => controller.abort(),
  };
  return client;
}

/** A listening server with one connected client; plugins of `more` stand as early as they can. */
export async function rig(options: ServerOptions = {}, more: readonly Plugin[] = []): Promise<Rig> {
  const { app, url } = await listeningApp(orderPlugins([...more, ...plugins]), options);
  const changes: JobChange[] = [];
  app.kernel.bus.on('job.updated', ({ attributes }) => changes.push({ kind: 'transition', row: attributes }));
  app.kernel.bus.on('internal.job.progressed', ({ attributes }) => changes.push({ kind: 'progress', row: attributes }));
  let published = 0;
  const client = await connect(url);
  return {
    app,
    url,
    client,
    connect: () => connect(url),
    changes,
    publish(...entries) {
      published += 1;
      app.tools.publish(`host:${published}`, entries, { source: 'host' });
    },
    ended: jobId =>
      waitFor(async () => {
        const record = await client.value('jobs_get_status', { job_id: jobId });
        return ['pending', 'running'].includes(String(record.status)) ? undefined : record;
      }, `the end of job ${jobId}`),
  };
}

export const tool = (name: string, handler: ToolHandler, more: Partial<ToolDefinition> = {}): ToolEntry => ({
  definition: { name, description: `Does ${name}.`, ...more },
  handler,
});

/** A handler that waits until `open()`, or until its signal aborts. */
export function gate(): { handler: ToolHandler; open(): void; readonly running: number; readonly most: number } {
  const waiting = new Set<() => void>();
  let opened = false;
  let most = 0;
  return {
    handler: (args, { signal }) =>
      new Promise((resolve, reject) => {
        if (opened) return resolve(args);
        const end = (settle: () => void) => (): void => {
          waiting.delete(leave);
          settle();
        };
        const leave = end(() => resolve(args));
        waiting.add(leave);
        most = Math.max(most, waiting.size);
        signal.addEventListener(
          'abort',
          end(() => reject(signal.reason)),
        );
      }),
    open() {
      opened = true;
      for (const each of [...waiting]) each();
    },
    get running() {
      return waiting.size;
    },
    get most() {
      return most;
    },
  };
}
