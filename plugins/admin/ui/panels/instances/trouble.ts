/** Why an instance cannot be called, in a sentence. */
import type { InstanceRow } from '../../shell/rows.ts';

const reasons: Readonly<Record<string, string>> = {
  stale: 'Nothing was heard of it for a while: its process may hang',
  unreachable: 'It does not answer',
  booting: 'Its host is still starting',
  shutting_down: 'It is ending',
};

/** As a word. */
export const statusOf = ({ dead, status }: InstanceRow): string => (dead ? 'ended' : status);

/** Undefined for one that can be called. */
export function troubleOf({ dead, status, dcc_type, port, diagnostics }: InstanceRow): string | undefined {
  const told = diagnostics.last_error?.message;
  if (dead) return told ?? 'Its process has ended';
  const reason = reasons[status];
  if (reason) return told ?? reason;
  if (dcc_type.toLowerCase() === 'unknown') return 'It does not say which host it is: set dcc_type';
  if (port === 0) return 'It has no port yet';
  const unready = Object.entries(diagnostics.readiness ?? {}).filter(([, ready]) => ready === false);
  return unready.length === 0 ? undefined : `Not ready: ${unready.map(([name]) => name).join(', ')}`;
}
