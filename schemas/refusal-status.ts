/** The HTTP status of a refusal of the gateway, by its kind (shape:envelope): what it answers with, and what a client goes by. Pure. */

/** `instance-offline` depends on why, and what is not here is a 400 or the row's own 5xx. */
const statuses: Readonly<Record<string, number>> = {
  'unknown-slug': 404,
  ambiguous: 409,
  'instance-leased': 409,
  'lease-owner-mismatch': 409,
  'skill-not-loaded': 409,
  'policy-denied': 403,
  throttled: 429,
  'host-busy': 503,
  'host-died': 502,
  'backend-error': 502,
  'schema-unavailable': 502,
  'invalid-params': 400,
  'bad-request': 400,
  unauthorized: 401,
  'not-found': 404,
};

const gone = new Set(['exited', 'deregistered', 'host-died', 'heartbeat-timeout']);

/** `own` is the status of the row of the error table, `previous` what the instance was last. */
export function refusalStatus(kind: string, own: number, previous: unknown): number {
  if (kind === 'instance-offline') {
    if (previous === undefined || previous === null) return own >= 400 ? own : 503;
    if (previous === 'never-registered') return 404;
    return gone.has(String(previous)) ? 410 : 503;
  }
  if (own === 413 || own === 415) return own;
  return statuses[kind] ?? (own >= 500 ? own : 400);
}
