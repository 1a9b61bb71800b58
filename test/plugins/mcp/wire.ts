/** A plain HTTP client of the endpoint for its tests: messages, sessions, event streams. */
import { onTestFinished } from 'vitest';
import type { Plugin } from '../../../kernel/index.ts';
import type { ServerOptions } from '../../../plugins/index.ts';
import { mcpPlugin } from '../../contracts/rooms.ts';
import { listeningApp, waitFor } from '../../helper.ts';

export type Json = Record<string, unknown>;
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: Json;
}
export interface StreamEvent {
  id: string | undefined;
  data: string;
}

export const both = 'application/json, text/event-stream';

/** A server with a few methods that emit, wait and ask. */
export async function mcpServer(options: ServerOptions = {}, plugins: readonly Plugin[] = [mcpPlugin]) {
  const { app, url: base } = await listeningApp(plugins, options);
  const url = base + app.kernel.config.endpoint_path;
  const { rpc } = app.kernel;
  const gates: Record<string, () => void> = {};
  const aborted: string[] = [];
  rpc.method('test/echo', params => params);
  rpc.method('test/progress', async (params, context) => {
    for (let step = 1; step <= 3; step += 1)
      context.notify('notifications/progress', { progressToken: 't', progress: step });
    return { done: params.name ?? true };
  });
  // Emits once, then waits until the test opens its gate.
  rpc.method('test/wait', async (params, context) => {
    const name = String(params.name);
    context.signal.addEventListener('abort', () => aborted.push(name));
    if (params.quiet !== true) context.notify('notifications/progress', { progressToken: name, progress: 1 });
    await new Promise<void>(resolve => {
      gates[name] = resolve;
    });
    if (params.quiet !== true) context.notify('notifications/progress', { progressToken: name, progress: 2 });
    return { waited: name };
  });
  rpc.method('test/ask', (params, context) => context.request('roots/list', {}, Number(params.timeout ?? 5000)));
  rpc.method('test/log', (params, context) => {
    for (const level of params.levels as string[]) context.notify('notifications/message', { level, data: level });
    return {};
  });

  const post = (message: unknown, headers: Record<string, string> = {}) =>
    request(url, 'POST', typeof message === 'string' ? message : JSON.stringify(message), headers);
  const open = async (protocolVersion = '2025-11-25', extra: Json = {}) => {
    const answer = await post(initialize(protocolVersion, extra));
    return { answer, session: { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' } };
  };
  const release = (name: string) => waitFor(() => gates[name], `call ${name}`).then(resolve => resolve());
  return { app, url, base, post, open, release, gates, aborted };
}

export function initialize(protocolVersion: unknown, extra: Json = {}): Json {
  const params = { protocolVersion, clientInfo: { name: 'test', version: '1' }, capabilities: {}, ...extra };
  return { jsonrpc: '2.0', id: 0, method: 'initialize', params };
}

export const call = (id: unknown, method: string, params: Json = {}): Json => ({ jsonrpc: '2.0', id, method, params });

export async function request(
  url: string,
  method: string,
  body: string | Uint8Array | undefined,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    ...(body === undefined ? {} : { body: body as string }),
  });
  const text = await response.text();
  let json = {};
  try {
    json = JSON.parse(text) as Json;
  } catch {}
  return { status: response.status, headers: response.headers, text, json };
}

/** Opens an event stream (GET, or POST with `message`) and collects what arrives. */
export async function stream(url: string, headers: Record<string, string>, message?: unknown) {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await fetch(url, {
    method: message === undefined ? 'GET' : 'POST',
    headers: {
      accept: message === undefined ? 'text/event-stream' : both,
      'content-type': 'application/json',
      ...headers,
    },
    signal: controller.signal,
    ...(message === undefined ? {} : { body: JSON.stringify(message) }),
  });
  const events: StreamEvent[] = [];
  const comments: string[] = [];
  const state = { ended: false };
  const reading = (async () => {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const lines = block.split('\n');
          const data = lines
            .find(each => each.startsWith('data:'))
            ?.slice(5)
            .trim();
          if (data === undefined) comments.push(block);
          else
            events.push({
              id: lines
                .find(each => each.startsWith('id:'))
                ?.slice(3)
                .trim(),
              data,
            });
        }
      }
    } catch {}
    state.ended = true;
  })();
  return {
    response,
    events,
    comments,
    state,
    messages: () => events.filter(each => each.data !== '').map(each => JSON.parse(each.data) as Json),
    ended: () => waitFor(() => state.ended, 'the stream to end'),
    cut: async () => {
      controller.abort();
      await reading;
    },
  };
}
