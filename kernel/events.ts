/** Event names, their attributes and the envelope (specification: Event envelope). */

/** Attributes by event name; a plugin adds its own with `declare module`. Any other dotted name is allowed too. */
// biome-ignore lint/suspicious/noEmptyInterface: open for declaration merging
export interface KernelEvents {}

export type EventRecord = Record<string, unknown>;

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
export function createEnvelope(name: string, input: EventInput, id: string, nowNs: number): EventEnvelope {
  return {
    schema_version: 1,
    name,
    id,
    timestamp_ns: nowNs,
    source: input.source ?? {},
    correlation: input.correlation ?? {},
    attributes: input.attributes ?? {},
  };
}
