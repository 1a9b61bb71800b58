/** One client session: what it negotiated, its calls in flight, its event streams. */
import type { RpcSession, Scope } from '../../../kernel/index.ts';
import { EventStream } from '../streams/event-stream.ts';
import type { Frame } from '../streams/frame.ts';
import { eventId, ReplayBuffer } from '../streams/replay.ts';
import type { SseClient } from '../streams/sse-client.ts';
import { assertAskable } from './askable.ts';
import { Questions } from './questions.ts';
import type { SessionRecord } from './store.ts';

/** A call in flight, as far as its session must know it. */
export interface InFlight {
  /** Aborts the handler and answers with `error`, or ends the exchange without an answer. */
  cancel(reason: string, error?: Error): void;
}

export interface SessionInit {
  record: SessionRecord;
  scope: Scope;
  clock: () => number;
  maxKeptEvents: number;
  maxKeptBytes: number;
  /** Number of the last broadcast issued before this session began. */
  broadcasts: number;
}

/** The standing stream, which GET opens, is always this one: its events stay ordered over reconnections. */
const standingId = '0';

const noCalls: ReadonlyMap<string | number, InFlight> = new Map();

export class Session implements RpcSession, SessionRecord {
  readonly id: string;
  readonly protocolVersion: string;
  readonly clientInfo: Readonly<Record<string, unknown>>;
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  readonly scope: Scope;
  readonly kept: ReplayBuffer;
  logLevel: number;
  lastSeen: number;
  /** Number of the last broadcast that this session received. */
  broadcasts: number;
  ended = false;
  // Made when first needed: most sessions only listen, and there may be thousands of them.
  #calls: Map<string | number, InFlight> | undefined;
  #questions: Questions | undefined;
  #streams: Map<string, EventStream> | undefined;
  #standing: EventStream | undefined;
  readonly #clock: () => number;
  #opened = 0;

  constructor(init: SessionInit) {
    const { record } = init;
    this.id = record.id;
    this.protocolVersion = record.protocolVersion;
    this.clientInfo = record.clientInfo;
    this.clientCapabilities = record.clientCapabilities;
    this.logLevel = record.logLevel;
    this.scope = init.scope;
    this.#clock = init.clock;
    this.lastSeen = init.clock();
    this.broadcasts = init.broadcasts;
    this.kept = new ReplayBuffer(init.maxKeptEvents, init.maxKeptBytes);
  }

  /** Restarts the idle time. */
  touch(): void {
    this.lastSeen = this.#clock();
  }

  /** Calls that did not complete at once, by JSON-RPC id. */
  get calls(): ReadonlyMap<string | number, InFlight> {
    return this.#calls ?? noCalls;
  }

  beginCall(id: string | number, call: InFlight): void {
    this.#calls ??= new Map();
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

  async request(...[method, params, timeoutMs, signal]: Parameters<RpcSession['request']>): Promise<unknown> {
    assertAskable(method, params, this.clientCapabilities);
    const send = (frame: Frame): boolean => this.#standing?.send(frame) ?? false;
    return this.questions.ask({ method, params, timeoutMs, signal, send });
  }

  /** Whether work in flight or an open stream protects it from eviction. */
  get busy(): boolean {
    return this.calls.size > 0 || (this.#streams?.size ?? 0) > 0 || (this.#standing?.attached ?? false);
  }

  /** The stream that GET opened; undefined before the first GET. */
  get standing(): EventStream | undefined {
    return this.#standing;
  }

  openStanding(): EventStream {
    // From here on it may only listen, for hours.
    if (this.#calls?.size === 0) this.#calls = undefined;
    this.#standing ??= new EventStream(standingId, this.kept);
    return this.#standing;
  }

  /** A new stream for the answer to a POST. */
  openStream(): EventStream {
    this.#opened += 1;
    const stream = new EventStream(this.#opened.toString(36), this.kept);
    this.#streams ??= new Map();
    this.#streams.set(stream.id, stream);
    return stream;
  }

  closeStream(stream: EventStream): void {
    stream.end();
    this.#streams?.delete(stream.id);
  }

  /** A stream that a client may re-attach to. */
  liveStream(id: string): EventStream | undefined {
    return id === standingId ? this.openStanding() : this.#streams?.get(id);
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

  /** Ends calls, questions and streams. The caller disposes the scope. */
  end(reason: string, error: Error): void {
    for (const call of [...this.calls.values()]) call.cancel(reason, error);
    this.ended = true;
    this.#questions?.end(reason);
    for (const stream of [...(this.#streams?.values() ?? [])]) this.closeStream(stream);
    this.#standing?.end();
    this.kept.clear();
  }
}
