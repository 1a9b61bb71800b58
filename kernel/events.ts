/** Event names, their attributes and the envelope (specification: Event envelope). */

/**
 * Attributes by event name. A plugin adds its own: `declare module` of this very file, or of `'svc'` from outside. Not of
 * another module that passes it on: TypeScript merges two of those into two interfaces.
 * Names are dotted, a noun and what happened to it; any other name is allowed too.
 */
// biome-ignore lint/suspicious/noEmptyInterface: open for declaration merging
export interface KernelEvents {}

export type EventRecord = Record<string, unknown>;

export type EventName = keyof KernelEvents | (string & {});
/** What an event of that name carries: typed where it is declared, a record otherwise. */
export type EventAttributes<N extends string> = N extends keyof KernelEvents ? KernelEvents[N] : EventRecord;

export interface EventEnvelope<A = EventRecord> {
  schema_version: 1;
  name: string;
  /** `ev_` and an id unique to this process and start. */
  id: string;
  /** Nanoseconds since the epoch, to the clock's resolution. */
  timestamp_ns: number;
  source: EventRecord;
  correlation: EventRecord;
  attributes: A;
}

export interface EventInput<A = EventRecord> {
  source?: EventRecord;
  correlation?: EventRecord;
  attributes?: A;
}

/** Builds an envelope; `id` and `now_ns` come from the kernel's ids and clock. */
export function createEnvelope<A = EventRecord>(
  name: string,
  input: EventInput<A>,
  id: string,
  nowNs: number,
): EventEnvelope<A> {
  return {
    schema_version: 1,
    name,
    id,
    timestamp_ns: nowNs,
    source: input.source ?? {},
    correlation: input.correlation ?? {},
    attributes: input.attributes ?? ({} as A),
  };
}
