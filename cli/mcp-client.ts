/** A client of one MCP endpoint over streamable HTTP, as much of one as a command needs. Only the official SDKs are its match in tests. */
import { createParser } from 'eventsource-parser';
import { Agent, request } from 'undici';
import { isSvcError, packageVersion } from '../kernel/light.ts';
import { objectOf, parsed } from '../schemas/loose.ts';
import { refusedEntry } from './authorization.ts';
import { cliErrors } from './errors.ts';

export type Fields = Record<string, unknown>;

export interface Asked {
  /** Progress and logs of this request, as they come. */
  onNotification?: (method: string, params: Fields) => void;
  /** Takes the request back; the server is told. */
  signal?: AbortSignal;
}

export interface McpClient {
  readonly url: string;
  readonly server: { name: string; version: string };
  /** Resolves with the result; rejects with SVC_CLI_SERVER_REFUSED for an error of the server. */
  request(method: string, params: Fields, asked?: Asked): Promise<Fields>;
  close(): Promise<void>;
}

const protocolVersion = '2025-11-25';
/** An answer may take as long as its tool. */
const agent = () => new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 5000 } });

/** Connects and shakes hands; rejects with SVC_CLI_UNREACHABLE or SVC_CLI_NO_MCP. */
export async function connectMcp(url: string, headers: Record<string, string> = {}): Promise<McpClient> {
  const dispatcher = agent();
  const fixed: Record<string, string> = {
    ...headers,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  let lastId = 0;

  const post = async (message: Fields, signal?: AbortSignal) => {
    try {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      return await request(url, { method: 'POST', headers: fixed, body, dispatcher, ...(signal && { signal }) });
    } catch (error) {
      if (signal?.aborted) throw error;
      const { code = (error as Error).message } = error as NodeJS.ErrnoException;
      throw cliErrors.UNREACHABLE({ url, reason: code }, error);
    }
  };

  const notify = async (method: string, params: Fields): Promise<void> => {
    const { body } = await post({ method, params });
    await body.dump();
  };

  const ask = async (method: string, params: Fields, { onNotification, signal }: Asked = {}): Promise<Fields> => {
    lastId += 1;
    const id = lastId;
    const takeBack = (): void => {
      void notify('notifications/cancelled', { requestId: id, reason: 'the user cancelled' }).catch(() => undefined);
    };
    signal?.addEventListener('abort', takeBack, { once: true });
    try {
      const { statusCode, headers: told, body } = await post({ id, method, params }, signal);
      const session = told['mcp-session-id'];
      if (typeof session === 'string') fixed['mcp-session-id'] = session;
      const type = String(told['content-type'] ?? '');
      if (type.startsWith('text/event-stream')) return answerOf(await streamed(body, id, onNotification), url);
      const text = await body.text();
      if (statusCode === 401 || statusCode === 403) throw refusalOf(text, url, statusCode);
      return answerOf(jsonOf(text, url, statusCode), url);
    } finally {
      signal?.removeEventListener('abort', takeBack);
    }
  };

  try {
    const hello = await ask('initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'svc-server call', version: packageVersion },
    });
    fixed['mcp-protocol-version'] = String(hello.protocolVersion);
    await notify('notifications/initialized', {});
    const { name = 'server', version = '' } = (hello.serverInfo ?? {}) as { name?: string; version?: string };
    return {
      url,
      server: { name, version },
      request: ask,
      async close() {
        const ended = { method: 'DELETE' as const, headers: fixed, dispatcher };
        if (fixed['mcp-session-id'] !== undefined)
          await request(url, ended).then(
            each => each.body.dump(),
            () => undefined,
          );
        await dispatcher.destroy();
      },
    };
  } catch (error) {
    await dispatcher.destroy();
    throw isSvcError(error) ? error : cliErrors.UNREACHABLE({ url, reason: (error as Error).message }, error);
  }
}

/** The answer to request `id`, out of a stream that may tell other things before. */
async function streamed(
  body: AsyncIterable<Buffer>,
  id: number,
  onNotification: Asked['onNotification'],
): Promise<Fields | undefined> {
  const ready: Fields[] = [];
  const parser = createParser({ onEvent: ({ data }) => void (data && ready.push(JSON.parse(data) as Fields)) });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    for (const message of ready.splice(0)) {
      if (message.id === id && !('method' in message)) return message;
      if (typeof message.method === 'string') onNotification?.(message.method, (message.params ?? {}) as Fields);
    }
  }
  return undefined;
}

function jsonOf(text: string, url: string, status: number): Fields {
  try {
    const value = JSON.parse(text) as Fields;
    if ('result' in value || 'error' in value) return value;
  } catch {
    // Told below: whatever it is, it is no answer.
  }
  throw cliErrors.NO_MCP({ url, status });
}

/** What the door says is one envelope; anything else that refuses is a proxy's, say. */
function refusalOf(text: string, url: string, status: number): Error {
  const { kind, message } = objectOf(parsed(text));
  return refusedEntry({ url, status, kind, message }) ?? cliErrors.CALL_FAILED({ message, status });
}

/** What may be seen of an error of the server: its code decides the exit code. */
export interface RpcFailure {
  code: number;
  message: string;
  data?: Fields;
}

function answerOf(answer: Fields | undefined, url: string): Fields {
  if (answer === undefined) throw cliErrors.UNREACHABLE({ url, reason: 'the connection ended before the answer came' });
  const failure = answer.error as RpcFailure | undefined;
  if (!failure) return (answer.result ?? {}) as Fields;
  const { code, message, data } = failure;
  // The codes of bad parameters: of MCP, and of the specification's own revision.
  const refused = code === -32602 || code === -32000 || code === -32001;
  throw (refused ? cliErrors.CALL_REFUSED : cliErrors.CALL_FAILED)({ message, rpc_code: code, ...(data && { data }) });
}
