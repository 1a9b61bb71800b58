/** W3C trace context: what a `traceparent` says, wherever it comes from. */

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?=-|$)/;

/** The trace, the span that sends it and its flags; undefined for what is no trace context. */
export function traceOf(traceparent: unknown): { traceId: string; spanId: string; flags: string } | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, traceId, spanId = '', flags = '01'] = form.exec(traceparent) ?? [];
  return traceId === undefined ? undefined : { traceId, spanId, flags };
}

/** A span of this process in the trace that the first of `given` names, or in one of its own; `uuid` is a fresh one. */
export function spanIn(uuid: string, ...given: unknown[]): { traceId: string; traceparent: string } {
  const hex = uuid.replaceAll('-', '');
  let found: ReturnType<typeof traceOf>;
  for (const each of given) found ??= traceOf(each);
  const { traceId, flags } = found ?? { traceId: hex, flags: '01' };
  // The random half of the id, since its first half may be the trace already.
  return { traceId, traceparent: `00-${traceId}-${hex.slice(16)}-${flags}` };
}

/** How a trace travels: in headers, in the `_meta` of a request, in the environment of a script. */
export type TraceContext = { traceparent: string; tracestate?: string; baggage?: string };

const longestState = 512;
const longestBaggage = 8192;
const printable = /^[\x20-\x7e\t]+$/;

const kept = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length <= longest && printable.test(value);

/** The context that headers or a `_meta` carry; undefined without a trace. What cannot be passed on is left out. */
export function traceContextOf(carrier: Readonly<Record<string, unknown>>): TraceContext | undefined {
  const { traceparent, tracestate, baggage } = carrier;
  if (!traceOf(traceparent)) return undefined;
  return {
    traceparent: traceparent as string,
    ...(kept(tracestate, longestState) && { tracestate }),
    ...(kept(baggage, longestBaggage) && { baggage }),
  };
}
