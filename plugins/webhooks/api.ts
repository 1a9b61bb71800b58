/** What other plugins may use of webhooks: what they do, and changes of their file. */

/** One webhook and how it fares. Its address and headers are told without what may be secret in them. */
export interface WebhookState {
  name: string;
  kind: string;
  url: string;
  events: readonly string[];
  /** Names of its headers. */
  headers: readonly string[];
  waiting: number;
  delivered: number;
  failed: number;
  /** Events that found the queue full. */
  dropped: number;
  last_error: string | null;
}

/** An entry of the file, as people write it. */
export type WebhookInput = Readonly<Record<string, unknown>> & { readonly name: string };

/** An entry of the file without what may be secret in it: to be shown, changed and put again. */
export type WebhookShown = Omit<WebhookInput, 'url' | 'headers'> & {
  /** As in the file, or with `kept` in place of what may be secret in it. */
  readonly url: string;
  /** Values that name a variable of the environment as they are, `kept` for the others. */
  readonly headers: Readonly<Record<string, string>>;
};

export interface WebhooksService {
  /** The file that holds them; it need not be there. */
  readonly file: string;
  list(): WebhookState[];
  /** The entries of the file; rejects with SVC_WEBHOOKS_CONFIG_INVALID where it cannot be read. */
  entries(): Promise<WebhookShown[]>;
  /**
   * Writes an entry into the file, over the one of its name or else at the end, and begins to use it. Comments stay, and
   * so does what is still as `entries` shows it.
   */
  put(entry: WebhookInput): Promise<void>;
  /** Takes an entry out of the file; false when the file has none of that name. */
  remove(name: string): Promise<boolean>;
  /** Delivers a made-up event once, past queue and filters; resolves with why it failed, or null. */
  test(name: string): Promise<string | null>;
}

declare module 'fastify' {
  interface FastifyInstance {
    webhooks: WebhooksService;
  }
}
