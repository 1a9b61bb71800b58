/** One client session: what it negotiated, its calls in flight, its event streams. */
import { createScope, type RpcSession, type Scope } from '../../../kernel/index.ts';
import { InFlightById } from '../../../schemas/in-flight-by-id.ts';
import type { Json } from '../../../schemas/loose.ts';
import { EventStream } from '../streams/event-stream.ts';
import type { Frame } from '../streams/frame.ts';
import { eventId, ReplayBuffer } from '../streams/replay.ts';
import type { SseClient } from '../streams/sse-client.ts';
import { assertAskable } from './askable.ts';
import { type IdleOrder, Place } from './idle-order.ts';
import { Questions } from './questions.ts';
import type { SessionRecord } from './store.ts';

/** A call in flight, as far as its session must know it. */
export interface InFlight {
  /** Aborts the handler and answers with `error`, or ends the exchange without an answer. */
  cancel(reason: string, error?: Error): void;
}

/** What all sessions of a table have in common. */
export interface SessionTerms {
  /** Parent of the scopes of the sessions. */
  readonly scope: Scope;
  readonly clock: () => number;
  readonly maxKeptEvents: number;
  readonly maxKeptBytes: number;
  readonly idle: IdleOrder<Session>;
}

/** The first standing stream is always this one: its events stay ordered over reconnections. */
const firstStandingId = '0';

/** Standing streams of one session; a client that opens more loses its oldest. */
const maxStanding = 8;

const noCalls = new InFlightById<InFlight>();

export class Session implements RpcSession, SessionRecord {
  readonly id: string;
  readonly owner: string | undefined;
  readonly protocolVersion: string;
  readonly clientInfo: Readonly<Record<string, unknown>>;
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  readonly place = new Place<Session>();
  logLevel: number;
  lastSeen: number;
  /** Number of the last broadcast that this session received, or that was issued before it began. */
  broadcasts: number;
  /** Connections that GET opened and that are still open. */
  connections = 0;
  ended = false;
  readonly #terms: SessionTerms;
  readonly #toldBytes: number;
  // Made when first needed: there may be a hundred thousand sessions, and most of them call a tool or two and fall silent.
  #scope: Scope | undefined;
  #kept: ReplayBuffer | undefined;
  #calls: InFlightById<InFlight> | undefined;
  #questions: Questions | undefined;
  #streams: Map<string, EventStream> | undefined;
  /** The standing stream that was opened or resumed last, and the others, oldest first. */
  #standing: EventStream | undefined;
  #others: EventStream[] | undefined;
  #opened = 0;

  constructor(record: SessionRecord, terms: SessionTerms, broadcasts: number) {
    this.id = record.id;
    this.owner = record.owner;
    this.protocolVersion = record.protocolVersion;
    this.clientInfo = record.clientInfo;
    this.clientCapabilities = record.clientCapabilities;
    this.logLevel = record.logLevel;
    this.#terms = terms;
    this.#toldBytes = JSON.stringify([record.clientInfo, record.clientCapabilities]).length;
    this.lastSeen = terms.clock();
    this.broadcasts = broadcasts;
  }

  /** Restarts the idle time. */
  touch(): void {
    this.lastSeen = this.#terms.clock();
    if (this.connections === 0 && !this.ended) this.#terms.idle.renew(this);
  }

  /** What the client made this server hold for it. */
  get heldBytes(): number {
    return this.#toldBytes + (this.#kept?.bytes ?? 0);
  }

  /** Whether some room keeps something for it. */
  get hasBelongings(): boolean {
    return this.#scope !== undefined && this.#scope.list().length > 0;
  }

  get scope(): Scope {
    const label = `session:${this.id}`;
    if (this.#scope) return this.#scope;
    this.#scope = this.ended ? createScope(label) : this.#terms.scope.child(label);
    if (this.ended) void this.#scope.dispose();
    return this.#scope;
  }

  get kept(): ReplayBuffer {
    this.#kept ??= new ReplayBuffer(this.#terms.maxKeptEvents, this.#terms.maxKeptBytes);
    return this.#kept;
  }

  /** Calls that did not complete at once, by JSON-RPC id. */
  get calls(): Omit<InFlightById<InFlight>, 'set' | 'delete'> {
    return this.#calls ?? noCalls;
  }

  beginCall(id: string | number, call: InFlight): void {
    this.#calls ??= new InFlightById();
    this.#calls.set(id, call);
  }

  endCall(id: string | number, call: InFlight): void {
    if (this.#calls?.get(id) !== call) return;
    this.#calls.delete(id);
    this.touch();
  }

  get questions(): Questions {
    this.#questions ??= new Questions();
    return this.#questions;
  }

  async request(
    method: string,
    params: Json,
    timeoutMs: number,
    _key?: string,
    signal?: AbortSignal,
  ): Promise<unknown> {
    assertAskable(method, params, this.clientCapabilities);
    const send = (frame: Frame): boolean => this.standing?.send(frame) ?? false;
    return this.questions.ask({ method, params, timeoutMs, signal, send });
  }

  /** Whether work in flight or an open stream protects it from eviction. */
  get busy(): boolean {
    return this.connections > 0 || this.calls.size > 0 || (this.#streams?.size ?? 0) > 0;
  }

  /**
   * The standing stream that takes the next message: of those that are open the one that was opened last, since an older
   * one may belong to a connection that broke unseen. Undefined before the first GET.
   */
  get standing(): EventStream | undefined {
    const current = this.#standing;
    if (!this.#others || !current || current.attached) return current;
    const open = this.#others.findLast(each => each.attached);
    return open ? this.#prefer(open) : current;
  }

  /** The stream for a GET that resumes none: the one that lost its connection, or one more. */
  openStanding(): EventStream {
    // From here on it may only listen, for hours.
    if (this.#calls?.size === 0) this.#calls = undefined;
    const current = this.standing;
    if (current?.attached) return this.#prefer(new EventStream(this.#nextId(), this.kept));
    this.#standing ??= new EventStream(firstStandingId, this.kept);
    return this.#standing;
  }

  /** A new stream for the answer to a POST. */
  openStream(): EventStream {
    const stream = new EventStream(this.#nextId(), this.kept);
    this.#streams ??= new Map();
    this.#streams.set(stream.id, stream);
    return stream;
  }

  closeStream(stream: EventStream): void {
    stream.end();
    this.#streams?.delete(stream.id);
  }

  /** A stream that a client may re-attach to; a standing one takes the next messages from now on. */
  liveStream(id: string): EventStream | undefined {
    if (id === this.#standing?.id) return this.#standing;
    const other = this.#others?.find(each => each.id === id);
    if (other) return this.#prefer(other);
    return id === firstStandingId && !this.#standing ? this.openStanding() : this.#streams?.get(id);
  }

  /** Replays what is kept of a stream that has had its last message, and ends the connection. */
  replayEnded(id: string, client: SseClient, sequence: number): void {
    for (const event of this.kept.after(id, sequence)) client.send(eventId(id, event.sequence), event.frame);
    client.end();
  }

  /** Whether the level that this session set lets a message through. */
  admits(frame: Frame): boolean {
    return frame.level === undefined || frame.level >= this.logLevel;
  }

  /** Ends calls, questions and streams; resolves when its scope is disposed. */
  end(reason: string, error: Error): Promise<void> | undefined {
    for (const call of this.calls.list()) call.cancel(reason, error);
    this.ended = true;
    this.#questions?.end(reason);
    for (const stream of [...(this.#streams?.values() ?? [])]) this.closeStream(stream);
    for (const stream of [...(this.#others ?? []), this.#standing]) stream?.end();
    this.#kept?.clear();
    return this.#scope?.dispose();
  }

  #nextId(): string {
    this.#opened += 1;
    return this.#opened.toString(36);
  }

  #prefer(stream: EventStream): EventStream {
    const others = (this.#others ?? []).filter(each => each !== stream);
    if (this.#standing) others.push(this.#standing);
    if (others.length >= maxStanding) others.shift()?.end();
    this.#others = others;
    this.#standing = stream;
    return stream;
  }
}
