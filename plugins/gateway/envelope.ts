/** Failures as the gateway tells them: one nested envelope, its status chosen by the kind (shape:envelope). Pure. */
import { isSvcError, toHttpError } from '../../kernel/index.ts';
import { refusalStatus } from '../../schemas/refusal-status.ts';
import type { Failure } from './api.ts';

/** Statuses after which a client may simply come back, and is told when. */
const passing = new Set([429, 503]);

/** What a client should do about it, where the refusal itself says nothing. */
const actions: Readonly<Record<string, string>> = {
  'unknown-slug': 'Search again and take the slug from a hit.',
  ambiguous: 'Use one of the candidates, or a longer instance id.',
  'ambiguous-instance': 'Repeat the request with the instance_id of one candidate.',
  'instance-offline': 'Search again: another instance may offer the tool.',
  'instance-leased': 'Wait until the lease ends, or use another instance.',
  'lease-owner-mismatch': 'Send the lease_owner that holds the lease.',
  'skill-not-loaded': 'Send next_step, then repeat the call.',
  'host-busy': 'Try again later.',
  throttled: 'Try again later.',
  'host-died': 'Search again: the instance is gone.',
  'schema-unavailable': 'Try again, or load the skill first.',
  'invalid-params': 'Describe the tool and correct the arguments.',
  'no-discovery-endpoint': 'Name another instance of the host type, or call the tools that a search shows.',
  'skill-not-found': 'Search for skills and take the skill_name of a hit.',
  'group-not-found': 'Describe the skill for its tool groups.',
  'skill-already-loaded': 'Search again: its tools can be called.',
};

const transient = new Set(['host-busy', 'throttled', 'instance-leased', 'schema-unavailable']);
const final = new Set([
  ...['policy-denied', 'bad-request', 'invalid-params', 'unknown-slug', 'affinity-violation'],
  ...['thread-affinity-violation', 'lease-owner-mismatch', 'no-discovery-endpoint', 'skill-not-found'],
  ...['group-not-found', 'skill-already-loaded', 'host-died'],
]);

/** Status and body for anything thrown. */
export function failureOf(error: unknown): Failure {
  const { statusCode } = error as { statusCode?: number };
  if (!isSvcError(error) && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return build(statusCode, 'bad-request', (error as Error).message, {});
  }
  const { status, body } = toHttpError(error);
  const { kind, message, context } = body;
  return build(refusalStatus(kind, status, context.previous_status), kind, message, { code: body.code, ...context });
}

function build(status: number, kind: string, message: string, context: Record<string, unknown>): Failure {
  const { candidates, previous_status, previous_instance_id, retryable, backend, policy, next_step, code } = context;
  const { veto_code, veto_reason } = context;
  const action = context.recommended_next_action ?? actions[kind];
  return {
    status,
    kind,
    retry_after_secs:
      typeof context.retry_after_secs === 'number' ? context.retry_after_secs : passing.has(status) ? 1 : undefined,
    error: {
      kind,
      message,
      candidates: Array.isArray(candidates) ? candidates : [],
      previous_status: typeof previous_status === 'string' ? previous_status : null,
      previous_instance_id: typeof previous_instance_id === 'string' ? previous_instance_id : null,
      retryable:
        typeof retryable === 'boolean' ? retryable : transient.has(kind) ? true : final.has(kind) ? false : null,
      recommended_next_action: typeof action === 'string' ? action : null,
      ...(code !== undefined && { code }),
      ...(backend !== undefined && { backend }),
      ...(policy !== undefined && { policy }),
      ...(code === 'EVENT_VETOED' && { veto_code, veto_reason }),
      ...(next_step !== undefined && { next_step }),
    },
  };
}
