/** What a caller may do with an instance: the contract's table of status and dispatch. */
import type { Instance, InstanceStatus } from './api.ts';
import { dispatchOf } from './dispatch-status.ts';

const actions: Record<InstanceStatus, string> = {
  available: 'Call its tools.',
  busy: 'Call its tools; the host is at work, so an answer may take longer.',
  booting: 'Wait until it is available, then try again.',
  unreachable: 'Use another instance; this one does not answer.',
  shutting_down: 'Use another instance; this one is closing.',
  stale: 'Use another instance, or check whether the host hangs: its heartbeat has stopped.',
};

/** The member `instance_status` of a full row. */
export function instanceStatus({ status, row, dead }: Pick<Instance, 'status' | 'row' | 'dead'>) {
  const dispatch = dispatchOf(row.metadata);
  const callable = status === 'available' || status === 'busy';
  const failed = callable && dispatch === 'failed';
  const pending = callable && dispatch === 'pending';
  return {
    status,
    dispatch_status: dispatch,
    retryable: status === 'booting' || (callable && !failed),
    recommended_next_action: dead
      ? 'Use another instance; the process of this one has ended.'
      : failed
        ? 'Restart the host application: its dispatcher has failed.'
        : pending
          ? 'Wait until its dispatcher is ready, then try again.'
          : actions[status],
  };
}
