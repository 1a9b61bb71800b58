/** The official SDK clients as clients that can be asked: each answers as the test says and keeps what it was asked. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as ClassicClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as ClassicTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';

type Fields = Record<string, unknown>;

export interface Answers {
  elicit?: (params: Fields, signal: AbortSignal) => unknown;
  sample?: (params: Fields) => unknown;
  roots?: () => unknown;
}

export interface CallResult {
  content: { type: string; text?: string }[];
  structuredContent?: Fields;
  isError?: boolean;
  _meta?: Fields;
}

export interface AskedClient {
  /** Methods and params of what the server asked, in order. */
  readonly asked: { method: string; params: Fields }[];
  readonly logs: Fields[];
  call(name: string, args?: Fields, options?: Fields): Promise<CallResult>;
  /** What a call that must fail says, be it in an error or in a result. */
  failure(name: string, args?: Fields): Promise<string>;
  prompt(name: string, args?: Record<string, string>): Promise<{ messages: { role: string; content: Fields }[] }>;
  read(uri: string): Promise<{ contents: Fields[] }>;
  close(): Promise<void>;
}

const identity = { name: 'asked', version: '1' };

const capabilitiesOf = ({ elicit, sample, roots }: Answers): Fields => ({
  ...(elicit && { elicitation: { form: {}, url: {} } }),
  ...(sample && { sampling: { tools: {} } }),
  ...(roots && { roots: {} }),
});

const schemas = {
  'elicitation/create': ElicitRequestSchema,
  'sampling/createMessage': CreateMessageRequestSchema,
  'roots/list': ListRootsRequestSchema,
};

type Method = keyof typeof schemas;
type Handler = (
  request: { params?: Fields },
  extra: { signal?: AbortSignal; mcpReq?: { signal: AbortSignal } },
) => unknown;

/** What the tests use of both clients; options of a call stand behind a result schema in 1.x. */
interface Sdk {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  callTool(params: Fields, ...options: unknown[]): Promise<unknown>;
  getPrompt(params: Fields): Promise<unknown>;
  readResource(params: Fields): Promise<unknown>;
  setRequestHandler(what: unknown, handler: Handler): void;
  setNotificationHandler(what: unknown, handler: (notification: { params: Fields }) => void): void;
}

const kinds = {
  'SDK 1.x': (capabilities: Fields, url: URL) => ({
    sdk: new ClassicClient(identity, { capabilities }) as unknown as Sdk,
    transport: new ClassicTransport(url) as unknown,
    classic: true,
  }),
  'SDK 2.x': (capabilities: Fields, url: URL) => ({
    sdk: new ModernClient(identity, { capabilities }) as unknown as Sdk,
    transport: new ModernTransport(url) as unknown,
    classic: false,
  }),
  'SDK 2.x without a session': (capabilities: Fields, url: URL) => ({
    sdk: new ModernClient(identity, {
      capabilities,
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    }) as unknown as Sdk,
    transport: new ModernTransport(url) as unknown,
    classic: false,
  }),
};

export type Kind = keyof typeof kinds;
export const inSession = ['SDK 1.x', 'SDK 2.x'] as const satisfies readonly Kind[];
export const everyKind = [...inSession, 'SDK 2.x without a session'] as const satisfies readonly Kind[];

/** A connected client that declares what it has an answer for. */
export async function askedClient(kind: Kind, url: string, answers: Answers = {}): Promise<AskedClient> {
  const { sdk, transport, classic } = kinds[kind](capabilitiesOf(answers), new URL(url));
  const asked: AskedClient['asked'] = [];
  const logs: Fields[] = [];
  const handle = (method: Method, answer: ((params: Fields, signal: AbortSignal) => unknown) | undefined): void => {
    if (!answer) return;
    sdk.setRequestHandler(classic ? schemas[method] : method, async ({ params = {} }, { signal, mcpReq }) => {
      asked.push({ method, params });
      return answer(params, signal ?? (mcpReq as { signal: AbortSignal }).signal);
    });
  };
  handle('elicitation/create', answers.elicit);
  handle('sampling/createMessage', answers.sample);
  handle('roots/list', answers.roots);
  sdk.setNotificationHandler(
    classic ? LoggingMessageNotificationSchema : 'notifications/message',
    ({ params }) => void logs.push(params),
  );
  await sdk.connect(transport);
  onTestFinished(() => sdk.close());
  const call: AskedClient['call'] = (name, args = {}, options = {}) =>
    sdk.callTool({ name, arguments: args }, ...(classic ? [undefined, options] : [options])) as Promise<CallResult>;
  return {
    asked,
    logs,
    call,
    async failure(name, args) {
      const result = await call(name, args).catch((error: Error) => error.message);
      if (typeof result === 'string') return result;
      if (!result.isError) throw new Error(`${name} did not fail: ${JSON.stringify(result)}`);
      return result.content.map(each => each.text).join(' ');
    },
    prompt: (name, args = {}) => sdk.getPrompt({ name, arguments: args }) as ReturnType<AskedClient['prompt']>,
    read: uri => sdk.readResource({ uri }) as ReturnType<AskedClient['read']>,
    close: () => sdk.close(),
  };
}
