/** What a source of rows other than the registry's files may say of its instances. */
import { sameListener } from './address.ts';
import type { InstanceRow, InstanceSource, SourceHandle } from './api.ts';
import type { Assertion, Assertions } from './assertions.ts';
import type { createDisputes } from './disputes.ts';
import { remoteRow } from './remote-row.ts';

export interface SourceHandleDeps {
  assertions: Assertions;
  /** By instance; what was found of one that begins anew is forgotten. */
  findings: { delete(instanceId: string): boolean };
  disputes: ReturnType<typeof createDisputes>;
  /** A heartbeat of what is as it was: false when there is more to it. */
  beat(source: InstanceSource, instanceId: string): boolean;
  settle(instanceId: string, reason?: string, message?: string): void;
  isStale(assertion: Assertion): boolean;
  isOwn(address: Pick<InstanceRow, 'host' | 'port'>): boolean;
  now(): number;
}

export function sourceHandle(name: InstanceSource, deps: SourceHandleDeps): SourceHandle {
  const { assertions, findings, disputes, beat, settle, isStale, isOwn, now } = deps;
  return {
    row(input) {
      const known = assertions.of(name).get(input.instance_id.toLowerCase())?.row;
      // What is only seen once more was registered when it was first seen; over HTTP it says itself that it is new.
      const same = name !== 'http' && known?.metadata.mcp_url === input.mcp_url;
      return remoteRow(name, input, same ? known.registered_at : now() / 1000);
    },
    assert(row, { ttlMs = Number.POSITIVE_INFINITY, answering: given, meta = {}, claimant } = {}) {
      if (isOwn(row)) {
        disputes.ownAddress(name, row);
        return false;
      }
      const known = assertions.of(name).get(row.instance_id);
      if (known?.row === row && known.ttlMs === ttlMs && given === undefined && beat(name, row.instance_id))
        return true;
      if (known && known.claimant !== claimant && !isStale(known) && !sameListener(known.row, row)) {
        disputes.taken(name, row, known);
        return false;
      }
      // Who registers anew has begun anew.
      if (known?.row.registered_at !== row.registered_at) findings.delete(row.instance_id);
      const answering = given ?? known?.answering ?? false;
      assertions.set({ source: name, row, meta, at: now(), ttlMs, answering, claimant });
      settle(row.instance_id);
      return true;
    },
    retract(instanceId, message, claimant) {
      const mine = assertions.of(name).get(instanceId)?.claimant === claimant;
      const known = mine && assertions.remove(name, instanceId);
      if (known) settle(instanceId, 'deregistered', message);
      return known;
    },
    get: instanceId => assertions.of(name).get(instanceId)?.row,
    size: () => assertions.of(name).size,
  };
}
