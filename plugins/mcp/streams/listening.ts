/**
 * The streams of `subscriptions/listen`: each hears what its filter names and nothing else. Members of the filter that are
 * more than a list's changes belong to the plugin that tells of them.
 */
import { createScope, type Disposer, type RpcId, type Scope } from '../../../kernel/index.ts';
import { isObject, objectOf } from '../../../schemas/loose.ts';
import type { Listener, ListenSource } from '../api.ts';
import { mcpErrors } from '../errors.ts';
import type { Connection } from '../exchange.ts';
import { forEachClient } from './fanout.ts';
import { Frame } from './frame.ts';
import type { SseClient } from './sse-client.ts';
import type { SseClients } from './sse-clients.ts';

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';
const retryAfterSecs = 30;

/** Members of the filter that ask for the changes of a list. */
const lists: ReadonlyMap<string, readonly [list: string, method: string]> = new Map([
  ['toolsListChanged', ['tools', 'notifications/tools/list_changed']],
  ['promptsListChanged', ['prompts', 'notifications/prompts/list_changed']],
  ['resourcesListChanged', ['resources', 'notifications/resources/list_changed']],
]);

export interface ListeningDeps {
  clients: SseClients;
  /** Most streams at once. */
  limit: number;
  /** Whether this server tells of changes of a list. */
  tells(list: string): boolean;
  /** Members of `_meta` of every result. */
  meta: object;
  onFailure(error: unknown): void;
}

class Stream implements Listener {
  readonly id: RpcId;
  readonly scope: Scope;
  readonly http: Connection['request'];
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  /** Methods of broadcasts that it asked for. */
  readonly methods = new Set<string>();
  readonly #client: SseClient;
  /** What is said before the acknowledgement has been sent. */
  #early: Frame[] | undefined = [];

  constructor(
    id: RpcId,
    clientCapabilities: Readonly<Record<string, unknown>>,
    client: SseClient,
    http: Connection['request'],
  ) {
    this.id = id;
    this.http = http;
    this.clientCapabilities = clientCapabilities;
    this.#client = client;
    this.scope = createScope(`listen:${id}`);
  }

  send(method: string, params: Readonly<Record<string, unknown>> = {}): boolean {
    const frame = this.#frame(method, params);
    if (!this.#early) return this.#client.say(frame);
    this.#early.push(frame);
    return this.#client.open;
  }

  acknowledge(notifications: object): void {
    this.#client.say(this.#frame('notifications/subscriptions/acknowledged', { notifications }));
    for (const frame of this.#early ?? []) this.#client.say(frame);
    this.#early = undefined;
  }

  /** Says that nothing more will come, and ends. */
  end(meta: object): void {
    const result = { resultType: 'complete', _meta: { ...meta, [subscriptionKey]: this.id } };
    this.#client.say(new Frame(JSON.stringify({ jsonrpc: '2.0', id: this.id, result })));
    this.#client.end();
  }

  #frame(method: string, params: Readonly<Record<string, unknown>>): Frame {
    const _meta = { ...objectOf(params._meta), [subscriptionKey]: this.id };
    return new Frame(JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta } }));
  }
}

export type Listening = ReturnType<typeof createListening>;

export function createListening({ clients, limit, tells, meta, onFailure }: ListeningDeps) {
  const streams = new Set<Stream>();
  const sources = new Map<string, ListenSource>();

  /** What is honoured of a filter, member by member. */
  const agree = async (filter: Readonly<Record<string, unknown>>, stream: Stream): Promise<Record<string, unknown>> => {
    const honoured: Record<string, unknown> = {};
    for (const [member, wanted] of Object.entries(filter)) {
      const [list, method] = lists.get(member) ?? [];
      if (list !== undefined && method !== undefined) {
        if (wanted !== true || !tells(list)) continue;
        stream.methods.add(method);
        honoured[member] = true;
      } else {
        const agreed = await sources.get(member)?.(wanted, stream);
        if (agreed !== undefined) honoured[member] = agreed;
      }
    }
    return honoured;
  };

  return {
    get size(): number {
      return streams.size;
    },
    /** Tells of one more member of the filter; `source` says what of it is honoured. */
    source(member: string, source: ListenSource): Disposer {
      if (lists.has(member) || sources.has(member)) throw new Error(`the listen filter "${member}" is served twice`);
      sources.set(member, source);
      return () => void sources.delete(member);
    },
    /** Answers subscriptions/listen; throws SVC_MCP_*. */
    open(id: RpcId, params: Readonly<Record<string, unknown>>, capabilities: unknown, connection: Connection): void {
      const { notifications } = params;
      if (!isObject(notifications)) throw mcpErrors.FILTER_INVALID();
      if (!connection.request.headers.accept?.includes('text/event-stream')) throw mcpErrors.STREAM_REQUIRED();
      if (streams.size >= limit) throw mcpErrors.TOO_MANY_LISTENERS({ limit, retry_after_secs: retryAfterSecs });
      const client = clients.open(connection);
      const stream = new Stream(id, objectOf(capabilities), client, connection.request);
      streams.add(stream);
      client.onClose(() => {
        streams.delete(stream);
        void stream.scope.dispose();
      });
      agree(notifications, stream).then(
        honoured => stream.acknowledge(honoured),
        error => {
          onFailure(error);
          client.end();
        },
      );
    },
    /** Tells every stream that asked for it of a change. */
    broadcast(method: string, params?: Readonly<Record<string, unknown>>): void {
      if (streams.size === 0) return;
      void forEachClient(streams, stream => {
        if (stream.methods.has(method)) stream.send(method, params);
      });
    },
    end(): void {
      for (const stream of streams) stream.end(meta);
    },
  };
}
