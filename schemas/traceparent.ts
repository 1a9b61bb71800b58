/** W3C trace context: what a `traceparent` says, wherever it comes from. */

const form = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})/;
const noTrace = '0'.repeat(32);

/** A span of this process in the trace that the first of `given` names, or in one of its own; `uuid` is a fresh one. */
export function spanIn(uuid: string, ...given: unknown[]): { traceId: string; traceparent: string } {
  const hex = uuid.replaceAll('-', '');
  let found: ReturnType<typeof traceOf>;
  for (const each of given) found ??= traceOf(each);
  const { traceId, flags } = found ?? { traceId: hex, flags: '01' };
  // The random half of the id, since its first half may be the trace already.
  return { traceId, traceparent: `00-${traceId}-${hex.slice(16)}-${flags}` };
}

/** The trace and its flags; undefined for what is no trace context. */
export function traceOf(traceparent: unknown): { traceId: string; flags: string } | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, traceId = noTrace, flags = '01'] = form.exec(traceparent) ?? [];
  return traceId === noTrace ? undefined : { traceId, flags };
}
