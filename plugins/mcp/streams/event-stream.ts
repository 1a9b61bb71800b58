/** A logical event stream of a session: it outlives the connections that carry it. */
import type { Frame } from './frame.ts';
import { eventId, type ReplayBuffer } from './replay.ts';
import type { SseClient } from './sse-client.ts';

export class EventStream {
  readonly id: string;
  readonly #kept: ReplayBuffer;
  #client: SseClient | undefined;
  #sequence = 0;
  #ended = false;

  constructor(id: string, kept: ReplayBuffer) {
    this.id = id;
    this.#kept = kept;
  }

  get attached(): boolean {
    return this.#client?.open ?? false;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Makes `client` the only receiver, ending an older one, after replaying what came after `sequence`. */
  attach(client: SseClient, sequence: number | undefined, prime: boolean): void {
    this.#client?.end();
    this.#client = client;
    client.onClose(() => {
      if (this.#client === client) this.#client = undefined;
    });
    if (sequence === undefined) {
      if (prime) client.prime(eventId(this.id, this.#sequence));
      return;
    }
    for (const event of this.#kept.after(this.id, sequence)) client.send(eventId(this.id, event.sequence), event.frame);
  }

  /** Sends a message and keeps it for replay; false when it was neither sent nor kept. */
  send(frame: Frame): boolean {
    if (this.#ended) return false;
    this.#sequence += 1;
    const kept = this.#kept.add({ stream: this.id, sequence: this.#sequence, frame });
    const sent = this.#client?.send(eventId(this.id, this.#sequence), frame) ?? false;
    return sent || kept;
  }

  /** Ends the connection, not the stream: what follows is kept until the client comes back for it. */
  dismiss(retryMs: number): void {
    this.#client?.dismiss(eventId(this.id, this.#sequence), retryMs);
    this.#client = undefined;
  }

  end(): void {
    this.#ended = true;
    this.#client?.end();
    this.#client = undefined;
  }
}
