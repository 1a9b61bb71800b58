/** W3C trace context: what a `traceparent` says, wherever it comes from. */

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?=-|$)/;

/** The trace, the span that sends it and its flags; undefined for what is no trace context. */
export function traceOf(traceparent: unknown): { traceId: string; spanId: string; flags: string } | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, traceId, spanId = '', flags = '01'] = form.exec(traceparent) ?? [];
  return traceId === undefined ? undefined : { traceId, spanId, flags };
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
