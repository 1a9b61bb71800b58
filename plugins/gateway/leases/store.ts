/** What the gateway keeps of leases: the contract of every driver. They outlive the gateway. */
import type { Lease } from './api.ts';

export interface LeaseStore {
  /** All of them, the expired ones too. */
  list(): Promise<Lease[]>;
  /** False when the instance has one already, which may have come from another gateway a moment ago: whole, when it is there. */
  create(lease: Lease): Promise<boolean>;
  replace(lease: Lease): Promise<void>;
  /** This one and no other: what another gateway has put in its place stays. */
  remove(lease: Lease): Promise<void>;
}
