/** Takes, renews and gives back the lease of an instance (shape:call): POST /v1/lease, and the names that no list shows. */
import { isSvcError } from '../../kernel/index.ts';
import { leaseHolder } from '../../schemas/instance.ts';
import { type Json, text } from '../../schemas/loose.ts';
import type { Instance } from '../instances/api.ts';
import { gatewayErrors } from './errors.ts';
import type { Lease } from './leases/api.ts';
import type { Parts } from './parts.ts';

const actions = ['acquire', 'renew', 'release'] as const;
type Action = (typeof actions)[number];

const usualSecs = 3600;
const longestSecs = 86_400;
const longestOwner = 200;

interface Asked {
  action: Action;
  owner: string;
  id: string | undefined;
  dcc: string | undefined;
  ttlSecs: number;
  jobId: string | null;
}

export function createLeaseOperation({ instances, backends, leases, policy, kernel }: Parts) {
  const isHeldBy = (owner: string, { row }: Instance): boolean => leaseHolder(row, kernel.ids.now()) === owner;
  const ofType = (dcc: string | undefined): Instance[] =>
    instances.live().filter(each => dcc === undefined || each.dcc_type.toLowerCase() === dcc.toLowerCase());

  /** The instance that is meant, which its owner holds where none is named. */
  const ownOf = ({ id, dcc, owner }: Asked): Instance | undefined => {
    // A lease is given back whether or not its instance can serve now.
    if (id !== undefined) return instances.find(id);
    const mine = ofType(dcc).filter(each => isHeldBy(owner, each));
    if (mine.length < 2) return mine[0];
    const candidates = mine.map(each => each.instance_id);
    throw gatewayErrors.SEVERAL_LEASED({ owner, count: mine.length, shown: candidates.join(', '), candidates });
  };

  /** The one that is named, else one that nobody uses: of several the least in use, and another where one was just taken. */
  const taken = async ({ id, dcc, owner, ttlSecs, jobId }: Asked) => {
    const terms = { owner, ttlSecs, jobId };
    if (id !== undefined || dcc === undefined) {
      const instance = instances.choose({ instance_id: id, dcc_type: dcc });
      return leases.take(instance, terms);
    }
    const all = ofType(dcc);
    if (all.length === 0) instances.choose({ dcc_type: dcc });
    const load = ({ instance_id }: Instance): number => backends.get(instance_id).in_flight;
    const idle = all.filter(each => each.status === 'available' && leases.isFree(each));
    for (const instance of idle.sort((a, b) => load(a) - load(b))) {
      try {
        return await leases.take(instance, terms);
      } catch (error) {
        if (!isSvcError(error) || error.code !== 'SVC_LEASES_HELD') throw error;
      }
    }
    throw gatewayErrors.NONE_IDLE({ dcc_type: dcc, count: all.length });
  };

  const told = (action: Action, success: Json, { instance_id }: Pick<Instance, 'instance_id'>): Json => {
    const known = instances.get(instance_id);
    const row = known ? instances.toRow(known) : { instance_id };
    const names = ['instance_id', 'instance_short', 'display_id', 'dcc_type', 'mcp_url', 'status', 'pool'];
    const instance = Object.fromEntries(names.filter(name => name in row).map(name => [name, row[name]]));
    return { success: true, action, ...success, instance };
  };

  const holding = (action: Action, lease: Lease, renewed: boolean): Json => {
    const { instance_id, lease_owner, lease_expires_at, current_job_id } = lease;
    const until = new Date(lease_expires_at * 1000).toISOString();
    const message = `${lease_owner} holds instance ${instance_id} until ${until}: send meta.lease_owner with each call`;
    return told(action, { renewed, message, lease_owner, lease_expires_at, current_job_id }, { instance_id });
  };

  return async (body: Json): Promise<Json> => {
    const asked = readLease(body);
    const { action, owner } = asked;
    if (action === 'release') {
      const instance = ownOf(asked);
      const released = instance !== undefined && (await leases.release(instance, owner));
      const message = released
        ? `The lease of ${owner} has ended`
        : `${owner} holds no such lease: nothing to give back`;
      return instance ? told(action, { released, message }, instance) : { success: true, action, released, message };
    }
    if (action === 'renew') {
      const instance = ownOf(asked);
      if (!instance || !isHeldBy(owner, instance)) throw gatewayErrors.NO_LEASE({ given: owner });
      const { lease } = await leases.take(instance, asked);
      return holding(action, lease, true);
    }
    const named = asked.id === undefined ? asked.dcc : instances.resolve(asked.id).dcc_type;
    if (named !== undefined) policy.checkHost('lease', named);
    const { lease, renewed } = await taken(asked);
    return holding(action, lease, renewed);
  };
}

const refuse = (reason: string, field: string) => gatewayErrors.BAD_REQUEST({ reason, field });

function readLease(body: Json): Asked {
  const { action = 'acquire', lease_owner: owner, ttl_secs: ttl, current_job_id } = body;
  const known = actions.find(each => each === action);
  if (!known) throw refuse(`"action" must be one of ${actions.join(', ')}`, 'action');
  if (typeof owner !== 'string' || owner === '' || owner !== owner.trim() || owner.length > longestOwner) {
    const form = `a name of at most ${longestOwner} characters, without blanks around it`;
    throw refuse(
      `"lease_owner" is required and must be ${form}: the same with each call, and to give it back`,
      'lease_owner',
    );
  }
  if (ttl !== undefined && (typeof ttl !== 'number' || !Number.isFinite(ttl))) {
    throw refuse('"ttl_secs" must be a number of seconds', 'ttl_secs');
  }
  const [id, dcc] = [text(body.instance_id), text(body.dcc_type) ?? text(body.dcc)];
  if (known === 'acquire' && id === undefined && dcc === undefined) {
    throw refuse('"dcc_type" or "instance_id" is required: what is to be leased', 'dcc_type');
  }
  const ttlSecs = Math.min(longestSecs, Math.max(1, Math.round(ttl ?? usualSecs)));
  return { action: known, owner, id, dcc, ttlSecs, jobId: text(current_job_id) ?? null };
}
