/** A client of the endpoint that hides nothing: raw HTTP answers, JSON-RPC messages, event streams. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';

export type Json = Record<string, unknown>;

export interface RpcMessage {
  jsonrpc: '2.0';
  id?: string | number | null;
  method?: string;
  params?: Json;
  result?: Json;
  error?: { code: number; message: string; data?: Json };
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export interface RpcAnswer extends RpcMessage {
  status: number;
  headers: Headers;
  /** What arrived on the stream of this very request before its answer. */
  notifications: RpcMessage[];
}

export interface EventStream {
  status: number;
  headers: Headers;
  /** Every message so far. */
  readonly messages: RpcMessage[];
  /** Event ids so far, in order. */
  readonly ids: string[];
  /** Waits for a message that fits; looks at those that arrived already too. */
  next(fits: (message: RpcMessage) => boolean, timeoutMs?: number): Promise<RpcMessage>;
  close(): void;
}

export interface ConnectOptions {
  protocolVersion?: string;
  capabilities?: Json;
  headers?: Record<string, string>;
  /** Answers requests of the server, wherever they arrive; without it they stay unanswered. */
  answer?: (request: RpcMessage) => Json;
}

type OnMessage = (message: RpcMessage) => void;

export interface Wire {
  readonly url: string;
  readonly sessionId: string;
  readonly initialized: RpcAnswer;
  /** Sends a request and returns its answer with the HTTP side of it. */
  request(method: string, params?: Json): Promise<RpcAnswer>;
  /** As `request`, returning `result`; throws on an error answer. */
  result(method: string, params?: Json): Promise<Json>;
  /** tools/call, returning the result. */
  call(name: string, args?: Json, meta?: Json): Promise<Json>;
  /** tools/call, returning the JSON of its first text content. */
  callJson(name: string, args?: Json): Promise<Json>;
  /** Every tool, following every cursor. */
  tools(): Promise<Json[]>;
  notify(method: string, params?: Json): Promise<HttpAnswer>;
  /** Sends a message or a batch as it is. */
  send(body: unknown, headers?: Record<string, string>): Promise<HttpAnswer>;
  stream(lastEventId?: string): Promise<EventStream>;
  /** Ends the session. */
  end(): Promise<HttpAnswer>;
}

const accept = 'application/json, text/event-stream';

/** POSTs `body` (text as it is, anything else as JSON) without a session. */
export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  onMessage: OnMessage = () => undefined,
): Promise<HttpAnswer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  const http = { status: answer.status, headers: answer.headers };
  if (!isStream(answer.headers)) return { ...http, text: await answer.text() };
  let text = '';
  const parser = messageParser(onMessage);
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    const piece = decoder.decode(chunk, { stream: true });
    text += piece;
    parser.feed(piece);
  }
  return { ...http, text };
}

const isStream = (headers: Headers): boolean => headers.get('content-type')?.includes('text/event-stream') ?? false;

const messageParser = (onMessage: OnMessage, onId: (id: string) => void = () => undefined) =>
  createParser({
    onEvent: (event: EventSourceMessage) => {
      if (event.id !== undefined) onId(event.id);
      // A priming event has an id and no data; an event with another name is no message.
      if (event.data && (event.event ?? 'message') === 'message') onMessage(JSON.parse(event.data) as RpcMessage);
    },
  });

/** The messages of an answer, whether it came as JSON or as an event stream. */
export function messagesOf({ headers, text }: HttpAnswer): RpcMessage[] {
  if (text === '') return [];
  if (!isStream(headers)) {
    const parsed = JSON.parse(text) as RpcMessage | RpcMessage[];
    return Array.isArray(parsed) ? parsed : [parsed];
  }
  const messages: RpcMessage[] = [];
  messageParser(message => messages.push(message)).feed(text);
  return messages;
}

/** The body of an initialize request. */
export const initializeRequest = ({ protocolVersion = '2025-03-26', capabilities = {} }: ConnectOptions = {}) => ({
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion, capabilities, clientInfo: { name: 'wire', version: '1' } },
});

/** Opens an event stream with GET. */
export async function openStream(
  url: string,
  headers: Record<string, string>,
  onMessage: OnMessage = () => undefined,
): Promise<EventStream> {
  const abort = new AbortController();
  const answer = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: abort.signal });
  const messages: RpcMessage[] = [];
  const ids: string[] = [];
  const waiting = new Set<() => void>();
  const parser = messageParser(
    message => {
      messages.push(message);
      onMessage(message);
      for (const wake of [...waiting]) wake();
    },
    id => ids.push(id),
  );
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
  };
  // The stream ends by abort or by the server: neither is a failure of the reader.
  read().catch(() => undefined);
  return {
    status: answer.status,
    headers: answer.headers,
    messages,
    ids,
    next: (fits, timeoutMs = 20_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`no such message within ${timeoutMs} ms; got ${JSON.stringify(messages)}`));
        }, timeoutMs);
        const look = (): void => {
          const found = messages.find(fits);
          if (!found) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    close: () => abort.abort(),
  };
}

/** Opens a session: initialize and notifications/initialized. */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Wire> {
  const first = await post(url, initializeRequest(options), options.headers);
  const initialized = answerOf(first, 'init');
  const sessionId = first.headers.get('mcp-session-id') ?? '';
  const protocolVersion = String(initialized.result?.protocolVersion ?? '2025-03-26');
  const headers = { 'mcp-session-id': sessionId, 'mcp-protocol-version': protocolVersion, ...options.headers };
  let lastId = 0;
  const serve: OnMessage = message => {
    if (message.method === undefined || message.id === undefined || !options.answer) return;
    void post(url, { jsonrpc: '2.0', id: message.id, result: options.answer(message) }, headers);
  };

  const wire: Wire = {
    url,
    sessionId,
    initialized,
    async request(method, params = {}) {
      lastId += 1;
      const id = lastId;
      return answerOf(await post(url, { jsonrpc: '2.0', id, method, params }, headers, serve), id);
    },
    async result(method, params) {
      const answer = await wire.request(method, params);
      if (!answer.result) throw new Error(`${method} failed: ${JSON.stringify(answer.error ?? answer.status)}`);
      return answer.result;
    },
    call: (name, args = {}, meta) => wire.result('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) }),
    callJson: async (name, args) => textJson(await wire.call(name, args)),
    async tools() {
      const tools: Json[] = [];
      let cursor: unknown;
      do {
        const page = await wire.result('tools/list', cursor === undefined ? {} : { cursor });
        tools.push(...(page.tools as Json[]));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },
    notify: (method, params = {}) => post(url, { jsonrpc: '2.0', method, params }, headers),
    send: (body, extra = {}) => post(url, body, { ...headers, ...extra }),
    stream: lastEventId =>
      openStream(url, { ...headers, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) }, serve),
    async end() {
      const answer = await fetch(url, { method: 'DELETE', headers });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
  };
  if (sessionId) await wire.notify('notifications/initialized');
  return wire;
}

/** The JSON of the first text content of a tool result. */
export function textJson(result: Json): Json {
  const [first] = result.content as { text?: string }[];
  return JSON.parse(first?.text ?? '') as Json;
}

function answerOf(http: HttpAnswer, id: string | number): RpcAnswer {
  const messages = messagesOf(http);
  const answer = messages.find(message => message.id === id && message.method === undefined) ?? messages.at(-1);
  const notifications = messages.filter(message => message !== answer);
  return { ...(answer ?? { jsonrpc: '2.0' }), status: http.status, headers: http.headers, notifications };
}
