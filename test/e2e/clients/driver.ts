/** What the suite needs of an official client, so that one suite drives both major versions. */

export interface DriverHooks {
  roots?: { uri: string; name: string }[];
  onListChanged?: () => void;
  onLog?: (message: { level: string; data: unknown }) => void;
  fetch?: typeof fetch;
}

export interface CallResult {
  content: { type: string; text?: string }[];
  isError?: boolean;
}

export interface CallOptions {
  onProgress?: (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => void;
  signal?: AbortSignal;
}

export interface DrivenClient {
  readonly serverName: string | undefined;
  readonly sessionId: string | undefined;
  listPage(cursor?: string): Promise<{ names: string[]; nextCursor: string | undefined }>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallResult>;
  ping(): Promise<unknown>;
  setLevel(level: 'debug' | 'info' | 'error'): Promise<unknown>;
  /** Ends the session on the server. */
  terminate(): Promise<void>;
  close(): Promise<void>;
}

export interface Driver {
  readonly name: string;
  open(url: string, hooks?: DriverHooks): Promise<DrivenClient>;
}

export const clientInfo = { name: 'client-test', version: '1.0.0' };

/** Reconnects fast enough for a test. */
export const reconnectionOptions = {
  initialReconnectionDelay: 200,
  maxReconnectionDelay: 200,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 20,
};

export interface CuttableFetch {
  fetch: typeof fetch;
  /** Breaks every event stream that is open, as a network does. */
  cut(): void;
  /** `Last-Event-ID` of every GET so far. */
  readonly resumedAfter: (string | null)[];
}

/** A fetch whose event streams can be broken while the server keeps running. */
export function cuttableFetch(): CuttableFetch {
  const open = new Set<AbortController>();
  const resumedAfter: (string | null)[] = [];
  const cuttable: typeof fetch = async (input, init) => {
    if (init?.method === undefined || init.method === 'GET') {
      resumedAfter.push(new Headers(init?.headers).get('last-event-id'));
    }
    const response = await fetch(input, init);
    if (!response.body || !response.headers.get('content-type')?.includes('text/event-stream')) return response;
    const breaker = new AbortController();
    open.add(breaker);
    const body = response.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal: breaker.signal });
    return new Response(body, { status: response.status, headers: response.headers });
  };
  return {
    fetch: cuttable,
    resumedAfter,
    cut() {
      for (const breaker of open) breaker.abort(new Error('the network broke'));
      open.clear();
    },
  };
}
