/** What went wrong with a connection, apart from whose it was, and the errors of the table that it becomes. */
import { rpcErrors, type SvcError } from '../../../kernel/index.ts';
import type { Instance } from '../../instances/api.ts';
import { backendErrors } from './errors.ts';

export type FailureKind =
  | 'unreachable'
  | 'broken'
  | 'gone'
  | 'timeout'
  | 'cancelled'
  | 'malformed'
  | 'too-large'
  | 'overloaded';

export interface Failure {
  readonly kind: FailureKind;
  readonly reason: string;
  readonly retryAfterSecs?: number;
}

/** Whether an outcome counts for or against the instance; undefined: for neither. */
export function saysOfInstance(failure: Failure | undefined): boolean | undefined {
  if (!failure) return true;
  if (failure.kind === 'cancelled' || failure.kind === 'too-large' || failure.kind === 'overloaded') return undefined;
  return false;
}

/** Whether another attempt at a read may do better. */
export const isWorthRepeating = (kind: FailureKind): boolean => kind === 'unreachable' || kind === 'broken';

/** Who is asked: names it in every error. */
export interface Asked {
  readonly instance: Instance;
  /** Why the instance has gone, once it has. */
  readonly goneBecause: string | undefined;
}

export const nameOf = ({ dcc_type, instance_short }: Instance): string => `${dcc_type}.${instance_short}`;

/** The members that every error about an instance has. */
export function naming({ instance }: Asked, retryable: boolean): Record<string, unknown> {
  const { instance_id, dcc_type } = instance;
  return { backend: nameOf(instance), instance_id, dcc_type, retryable };
}

/** The error of the table for a failure while `what` was asked. */
export function errorOf(
  failure: Failure,
  asked: Asked,
  what: string,
  limits: { timeoutMs: number; maxBytes: number },
): SvcError {
  const { reason } = failure;
  // Its end tells more than that the connection broke; a refusal or a deadline says enough by itself.
  const kind = asked.goneBecause !== undefined && failure.kind === 'broken' ? 'gone' : failure.kind;
  switch (kind) {
    case 'unreachable':
      return backendErrors.UNREACHABLE({
        ...naming(asked, true),
        origin: asked.instance.origin,
        reason,
        // Its process may have been found dead just now.
        previous_status: asked.goneBecause ?? 'unreachable',
        previous_instance_id: asked.instance.instance_id,
      });
    case 'gone':
      return backendErrors.GONE({ ...naming(asked, false), what, reason: asked.goneBecause ?? reason });
    case 'timeout':
      return backendErrors.TIMEOUT({ ...naming(asked, true), what, timeout_ms: limits.timeoutMs });
    case 'cancelled':
      return rpcErrors.CANCELLED({ ...naming(asked, false), reason });
    case 'too-large':
      return backendErrors.TOO_LARGE({ ...naming(asked, false), what, limit: limits.maxBytes });
    case 'malformed':
      return backendErrors.BAD_ANSWER({ ...naming(asked, false), what, reason });
    case 'overloaded':
      return backendErrors.OVERLOADED({
        ...naming(asked, true),
        what,
        reason,
        retry_after_secs: failure.retryAfterSecs ?? 1,
      });
    default:
      return backendErrors.BROKEN({ ...naming(asked, false), what, reason });
  }
}
