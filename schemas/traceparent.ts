/** W3C trace context: what a `traceparent` says, wherever it comes from. */

const form = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})/;
const noTrace = '0'.repeat(32);

/** The trace and its flags; undefined for what is no trace context. */
export function traceOf(traceparent: unknown): { traceId: string; flags: string } | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, traceId = noTrace, flags = '01'] = form.exec(traceparent) ?? [];
  return traceId === noTrace ? undefined : { traceId, flags };
}
