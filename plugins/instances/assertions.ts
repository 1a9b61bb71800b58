/** What each source says about an instance, and which source is believed. */
import type { InstanceRow, InstanceSource, LeaseClaim } from './api.ts';

export interface Assertion {
  readonly source: InstanceSource;
  readonly row: InstanceRow;
  readonly meta: Record<string, unknown>;
  /** Last heartbeat, milliseconds since the epoch. */
  at: number;
  /** Life without another heartbeat; infinite for sources that retract. */
  readonly ttlMs: number;
  /** What the instance answers is as good as a heartbeat. */
  readonly answering?: boolean;
  /** The port belongs to a newer row. */
  readonly displaced?: boolean;
  /** Its process is known to live on this machine. */
  readonly proven?: boolean;
  /** Which of several speakers of the source says so. */
  readonly claimant?: string | undefined;
}

/** The specification's precedence, highest first. */
export const sourceOrder: readonly InstanceSource[] = ['http', 'relay', 'mdns', 'file'];

export function createAssertions() {
  const bySource = new Map<InstanceSource, Map<string, Assertion>>(sourceOrder.map(each => [each, new Map()]));
  const of = (source: InstanceSource): Map<string, Assertion> => bySource.get(source) as Map<string, Assertion>;
  const leases = new Map<string, LeaseClaim>();

  /** With the lease that the gateway gave: nobody else is to take the instance. */
  const withLease = (claim: Assertion): Assertion => {
    const lease = leases.get(claim.row.instance_id);
    if (!lease) return claim;
    const { lease_owner, lease_expires_at, current_job_id } = lease;
    const { row } = claim;
    const status = row.status === 'available' ? 'busy' : row.status;
    const job = current_job_id ?? row.current_job_id;
    return { ...claim, row: { ...row, status, lease_owner, lease_expires_at, current_job_id: job } };
  };

  return {
    /** The lease of an instance, whoever speaks of that; undefined ends it. */
    lease(instanceId: string, lease: LeaseClaim | undefined): void {
      if (lease) leases.set(instanceId, lease);
      else leases.delete(instanceId);
    },
    of,
    set: (assertion: Assertion): void => void of(assertion.source).set(assertion.row.instance_id, assertion),
    remove: (source: InstanceSource, instanceId: string): boolean => of(source).delete(instanceId),
    removeAll(instanceId: string): void {
      for (const known of bySource.values()) known.delete(instanceId);
    },
    /** Everything that is said about an instance, highest precedence first. */
    claims(instanceId: string): Assertion[] {
      const all: Assertion[] = [];
      for (const known of bySource.values()) {
        const claim = known.get(instanceId);
        if (claim) all.push(claim);
      }
      return all;
    },
    /**
     * The source of highest precedence whose word is fresh; when none is, the one that spoke last. What is leased is
     * known to the file alone, and to the gateway that leased it.
     */
    believed(instanceId: string, isFresh: (assertion: Assertion) => boolean): Assertion | undefined {
      const file = of('file').get(instanceId);
      const all = this.claims(instanceId);
      const best = all.length < 2 ? all[0] : (all.find(isFresh) ?? all.sort((a, b) => b.at - a.at)[0]);
      if (!best) return undefined;
      if (!file || best === file) return withLease(best);
      const { capacity, lease_owner, current_job_id, lease_expires_at } = file.row;
      return withLease({ ...best, row: { ...best.row, capacity, lease_owner, current_job_id, lease_expires_at } });
    },
  };
}

export type Assertions = ReturnType<typeof createAssertions>;
