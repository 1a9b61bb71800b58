/** What other plugins may use of the leases: who holds which instance alone, and until when. */
import type { Instance } from '../../instances/api.ts';

/** One lease, as it stands in its file. */
export interface Lease {
  readonly instance_id: string;
  /** A name that its holder goes by; no secret. */
  readonly lease_owner: string;
  /** Unix seconds. */
  readonly lease_expires_at: number;
  readonly current_job_id: string | null;
}

export type LeaseAction = 'taken' | 'renewed' | 'released' | 'expired';

/** Attributes of `lease.changed`. */
export type LeaseChange = Lease & { action: LeaseAction; dcc_type: string | null };

export interface LeaseTerms {
  owner: string;
  ttlSecs: number;
  /** The job that it is for. */
  jobId: string | null;
}

export interface LeasesService {
  /** Takes an instance, or renews the lease of the same owner; rejects with SVC_LEASES_HELD. */
  take(instance: Instance, terms: LeaseTerms): Promise<{ lease: Lease; renewed: boolean }>;
  /** Ends the lease of `owner`; false when there is none. Rejects with SVC_LEASES_MISMATCH when another has it. */
  release(instance: Instance, owner: string): Promise<boolean>;
  /** Whether nobody holds the instance now. */
  isFree(instance: Pick<Instance, 'row'>): boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    leases: LeasesService;
  }
}
