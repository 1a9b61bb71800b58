/** Instances of other machines, which register over HTTP and stay while they send heartbeats. */

import { isLinkLocal, isLoopback } from '../../../../schemas/address.ts';
import type {
  DeregisterInstance,
  HeartbeatInstance,
  RegisterInstance,
} from '../../../../schemas/instance-registration.ts';
import type { Caller } from '../../../guard/api.ts';
import type { InstanceRow, SourceHandle } from '../../api.ts';
import type { Claims } from './claims.ts';
import { discoveryErrors } from './errors.ts';

export interface RemoteRowsDeps {
  source: SourceHandle;
  claims: Pick<Claims, 'ownerOf' | 'set' | 'drop'>;
}

/** Who registers, as far as callers authenticate. */
export type Claimant = Pick<Caller, 'id' | 'scopes'>;

const defaultTtl = 30;
const [leastTtl, mostTtl] = [1, 86_400];
const maxRemote = 2000;

const ttlName = 'dcc_mcp_http_ttl_secs';

export function createRemoteRows({ source, claims }: RemoteRowsDeps) {
  const refused = (reason: string) => discoveryErrors.BAD_REQUEST({ reason });

  const checkAddress = (text: string, known: boolean): void => {
    if (!URL.canParse(text)) throw refused('"mcp_url" is not a URL');
    const url = new URL(text);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('"mcp_url" must be http or https');
    if (!url.pathname.endsWith('/mcp')) throw refused('the path of "mcp_url" must end with /mcp');
    if (url.username !== '' || url.password !== '') throw refused('"mcp_url" must not carry credentials');
    if (isLinkLocal(url.hostname)) throw refused('"mcp_url" is an address of the link, where no instance is');
    if (!known && !isLoopback(url.hostname)) throw discoveryErrors.REMOTE_UNAUTHORIZED();
  };

  const receipt = (operation: 'registered' | 'heartbeat', row: InstanceRow) => ({
    ok: true,
    success: true,
    operation,
    instance_id: row.instance_id,
    instance_short: row.instance_id.slice(0, 8),
    registered_at: Math.floor(row.registered_at),
    heartbeat_interval_secs: Math.max(1, Math.floor(Number(row.metadata[ttlName]) / 3)),
  });

  const assert = (row: InstanceRow, answering?: boolean): void => {
    const life = { ttlMs: Number(row.metadata[ttlName]) * 1000, ...(answering !== undefined && { answering }) };
    const taken = source.assert(row, life);
    if (!taken) throw refused('"mcp_url" is the gateway itself');
  };

  return {
    /** Throws SVC_DISCOVERY_HTTP_CLAIMED for a row that somebody else registered; who administers may take any. */
    assertOwn(id: string, claimant: Claimant | undefined): void {
      const instance_id = id.toLowerCase();
      const owner = claims.ownerOf(instance_id);
      if (owner === undefined || owner === claimant?.id || claimant?.scopes.has('admin')) return;
      throw discoveryErrors.CLAIMED({ instance_id });
    },
    /** Host type of a registered instance. */
    typeOf: (instance_id: string): string | undefined => source.get(instance_id.toLowerCase())?.dcc_type,
    /** `claimant`: its caller, where he has proved who he is. */
    register(body: RegisterInstance, claimant: Claimant | undefined) {
      const instance_id = body.instance_id.toLowerCase();
      checkAddress(body.mcp_url, claimant !== undefined);
      if (source.get(instance_id) === undefined && source.size() >= maxRemote) {
        throw discoveryErrors.TOO_MANY({ limit: maxRemote });
      }
      const ttl = Math.min(mostTtl, Math.max(leastTtl, Math.floor(body.ttl_secs ?? defaultTtl)));
      const { dcc_type, mcp_url, adapter_version, scene, capabilities_fingerprint } = body;
      const row = source.row({
        ...{ instance_id, dcc_type, mcp_url, adapter_version, scene },
        metadata: { [ttlName]: String(ttl), ...(capabilities_fingerprint && { capabilities_fingerprint }) },
      });
      // A server of another make sends no heartbeats. Who names no time to live has said nothing against its answers.
      assert(row, typeof body.ttl_secs !== 'number');
      if (claimant) claims.set(instance_id, claimant.id, ttl);
      return receipt('registered', row);
    },
    heartbeat(body: HeartbeatInstance) {
      const instance_id = body.instance_id.toLowerCase();
      const known = source.get(instance_id);
      if (!known) throw discoveryErrors.NOT_FOUND({ instance_id });
      const { scene = known.scene, capabilities_fingerprint: fingerprint } = body;
      const { metadata } = known;
      const told = fingerprint && fingerprint !== metadata.capabilities_fingerprint;
      const same = !told && scene === known.scene && known.status === 'available';
      const named = told ? { ...metadata, capabilities_fingerprint: fingerprint } : metadata;
      const row: InstanceRow = same ? known : { ...known, status: 'available', scene, metadata: named };
      assert(row);
      return receipt('heartbeat', row);
    },
    deregister(body: DeregisterInstance) {
      const instance_id = body.instance_id.toLowerCase();
      claims.drop(instance_id);
      if (!source.retract(instance_id, 'it was deregistered over HTTP'))
        return { ok: true, success: true, operation: 'not_registered' };
      return { ok: true, success: true, operation: 'deregistered', instance_id };
    },
  };
}
