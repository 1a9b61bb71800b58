/** What probing and calling found out about an instance. Pure. */
import { readinessBits } from '../../schemas/readiness.ts';
import type { InstanceFinding, InstanceProbe } from './api.ts';

/** What probing and calling found. */
export interface Finding extends InstanceProbe {
  probed_at: number | null;
  readonly state: 'unknown' | 'reachable' | 'unreachable' | 'booting';
  /** Since when it cannot be reached, milliseconds since the epoch; undefined while it can. */
  readonly unreachableSince: number | undefined;
}

export const noFinding: Finding = {
  state: 'unknown',
  unreachableSince: undefined,
  readiness: null,
  last_error: null,
  probed_at: null,
};

/** What is found of an instance whose host lives. */
export type LivingFinding =
  | Extract<InstanceFinding, { kind: 'reachable' }>
  | { readonly kind: 'unreachable' | 'booting'; readonly message: string };

export function nextFinding(before: Finding, finding: LivingFinding, at: number): Finding {
  if (finding.kind === 'reachable') {
    const readiness = finding.readiness ?? before.readiness;
    return { state: 'reachable', unreachableSince: undefined, readiness, last_error: null, probed_at: at };
  }
  return {
    state: finding.kind,
    unreachableSince: finding.kind === 'unreachable' ? (before.unreachableSince ?? at) : undefined,
    readiness: null,
    last_error: { kind: finding.kind, message: finding.message, at },
    probed_at: at,
  };
}

/** Whether a probe that found an instance well has found what was known. */
export const sameFinding = (before: Finding, next: Finding): boolean =>
  next.state === 'reachable' &&
  before.state === 'reachable' &&
  (before.readiness === next.readiness ||
    readinessBits.every(bit => before.readiness?.[bit] === next.readiness?.[bit]));
