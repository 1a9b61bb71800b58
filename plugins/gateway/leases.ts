/** Instances that somebody holds alone: calls of others are refused while the lease in the row runs (shape:call). Pure. */
import { leaseHolder } from '../../schemas/instance.ts';
import type { Json } from '../../schemas/loose.ts';
import type { Instance } from '../instances/api.ts';
import { gatewayErrors } from './errors.ts';

/** Throws SVC_GATEWAY_LEASED or _LEASE_OWNER; `now` is in milliseconds. */
export function checkLease({ row, instance_short }: Pick<Instance, 'row' | 'instance_short'>, meta: Json, now: number) {
  const holder = leaseHolder(row, now);
  if (holder === undefined) return;
  const { lease_owner: given } = meta;
  if (given === holder) return;
  if (given === undefined || given === null || given === '') throw gatewayErrors.LEASED({ instance: instance_short });
  throw gatewayErrors.LEASE_OWNER({ instance: instance_short, given: String(given).slice(0, 100) });
}
