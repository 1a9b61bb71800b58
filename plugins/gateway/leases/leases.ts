/** Leases of instances: taken, renewed, given back, expired. One at a time, and never two holders, other gateways included. */
import { type Bus, createTurns, messageOf } from '../../../kernel/index.ts';
import { leaseHolder } from '../../../schemas/instance.ts';
import type { Instance, InstancesService } from '../../instances/api.ts';
import type { Lease, LeaseAction, LeasesService, LeaseTerms } from './api.ts';
import { leaseErrors } from './errors.ts';
import type { LeaseStore } from './store.ts';

export interface LeasesDeps {
  store: LeaseStore;
  instances: Pick<InstancesService, 'get' | 'lease'>;
  bus: Pick<Bus, 'emit'>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export type Leases = ReturnType<typeof createLeases>;

export function createLeases({ store, instances, bus, now }: LeasesDeps) {
  const held = new Map<string, Lease>();
  const turns = createTurns();
  const isOver = ({ lease_expires_at }: Pick<Lease, 'lease_expires_at'>): boolean => lease_expires_at * 1000 <= now();

  const tell = (action: LeaseAction, lease: Lease): void => {
    const dcc_type = instances.get(lease.instance_id)?.dcc_type ?? null;
    bus.emit('lease.changed', { attributes: { ...lease, action, dcc_type } });
    const until =
      action === 'taken' || action === 'renewed'
        ? ` until ${new Date(lease.lease_expires_at * 1000).toISOString()}`
        : '';
    const reason = `${lease.lease_owner}${until}`;
    const { instance_id } = lease;
    bus.emit('gateway.noted', {
      attributes: { event: `lease_${action}`, instance_id, reason, ...(dcc_type !== null && { dcc_type }) },
    });
  };

  const hold = (lease: Lease): void => {
    held.set(lease.instance_id, lease);
    instances.lease(lease.instance_id, lease);
  };
  const drop = (instance_id: string): void => {
    if (held.delete(instance_id)) instances.lease(instance_id, undefined);
  };

  /** As the store has it now: another gateway over the same registry may have changed it. */
  const load = async (): Promise<void> => {
    const kept = await store.list();
    for (const each of kept.filter(isOver)) await store.remove(each);
    const valid = new Map(kept.filter(each => !isOver(each)).map(each => [each.instance_id, each]));
    for (const lease of [...held.values()]) {
      if (valid.has(lease.instance_id)) continue;
      drop(lease.instance_id);
      if (isOver(lease)) tell('expired', lease);
    }
    for (const [instance_id, lease] of valid) {
      if (JSON.stringify(held.get(instance_id)) !== JSON.stringify(lease)) hold(lease);
    }
  };

  /** Who holds the instance now: by a lease of ours, or by the word of its own host. */
  const holderOf = ({ row }: Pick<Instance, 'row'>): string | undefined => leaseHolder(row, now());

  const refusal = (instance: Instance, holder: string) => {
    const { lease_expires_at: end } = instance.row;
    const left_secs = end === null ? null : Math.max(1, Math.ceil(end - now() / 1000));
    return leaseErrors.HELD({ instance: instance.instance_short, holder, left_secs, retry_after_secs: left_secs });
  };

  /** One after another, and what the store does wrong is told as that. */
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> =>
    turns.take('', async () => {
      try {
        await load();
        return await work();
      } catch (error) {
        throw (error as { row?: unknown }).row ? error : leaseErrors.STORE_FAILED({ reason: messageOf(error) }, error);
      }
    });

  const current = (instance: Instance): Instance => instances.get(instance.instance_id) ?? instance;

  const service: LeasesService = {
    isFree: instance => holderOf(instance) === undefined,
    take: (given, { owner, ttlSecs, jobId }: LeaseTerms) =>
      inTurn(async () => {
        const instance = current(given);
        const { instance_id } = instance;
        const holder = holderOf(instance);
        if (holder !== undefined && holder !== owner) throw refusal(instance, holder);
        const known = held.get(instance_id);
        const lease: Lease = {
          ...{ instance_id, lease_owner: owner, lease_expires_at: Math.floor(now() / 1000) + ttlSecs },
          current_job_id: jobId ?? known?.current_job_id ?? null,
        };
        if (known) await store.replace(lease);
        else if (!(await store.create(lease))) {
          await load();
          const other = current(given);
          const before = holderOf(other);
          if (before !== undefined) throw refusal(other, before);
          // A file that says nothing.
          await store.replace(lease);
        }
        hold(lease);
        tell(known ? 'renewed' : 'taken', lease);
        return { lease, renewed: known !== undefined };
      }),
    release: (given, owner) =>
      inTurn(async () => {
        const instance = current(given);
        const holder = holderOf(instance);
        if (holder !== undefined && holder !== owner) {
          throw leaseErrors.MISMATCH({ instance: instance.instance_short, holder, given: owner });
        }
        const known = held.get(instance.instance_id);
        if (!known) return false;
        await store.remove(known);
        drop(known.instance_id);
        tell('released', known);
        return true;
      }),
  };

  return {
    service,
    /** Reads what there is, and ends what is over. */
    refresh: (): Promise<void> => inTurn(async () => undefined),
    /** An instance that has ended holds nothing. */
    forget: (instance_id: string): Promise<void> =>
      inTurn(async () => {
        const known = held.get(instance_id);
        if (!known) return;
        await store.remove(known);
        drop(instance_id);
      }),
  };
}
