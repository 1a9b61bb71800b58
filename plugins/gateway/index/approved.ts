/**
 * Which records of an instance may be shown: what a server of another hand says of its tools is held against what was
 * approved. Servers of ours whose row this user's registry has judge their own skills, and tell what they found.
 */
import { revealed } from '../../../schemas/hidden-text.ts';
import { canonicalJson } from '../../../schemas/tool-fingerprint.ts';
import type { Instance } from '../../instances/api.ts';
import type { ApprovalsService, SaidOfTool } from '../../policy/approvals/api.ts';
import type { CapabilityRecord } from './api.ts';

export interface InstanceRecords {
  readonly records: readonly CapabilityRecord[];
  /** It answers as our own servers do. */
  readonly ours: boolean;
}

export function createApproved(approvals: Pick<ApprovalsService, 'mode' | 'judge' | 'forget'> | undefined) {
  const keys = new Map<string, string>();
  /** Kept away, by instance. */
  const held = new Map<string, readonly CapabilityRecord[]>();

  const drop = (instance_id: string): void => {
    const key = keys.get(instance_id);
    keys.delete(instance_id);
    held.delete(instance_id);
    // Another row may be of the same server.
    if (key !== undefined && ![...keys.values()].includes(key)) approvals?.forget('server', key);
  };

  return {
    drop,
    /** Those that may be shown, marked where something is not approved. */
    async admitted(instance: Instance, { records, ours }: InstanceRecords): Promise<readonly CapabilityRecord[]> {
      const { instance_id, source } = instance;
      if (!approvals || approvals.mode === 'off' || (ours && source === 'file') || records.length === 0) return records;
      const key = keyOf(instance);
      keys.set(instance_id, key);
      const tools = Object.fromEntries(records.map(each => [each.callable_id, saidBy(each)]));
      const { changed, quarantined } = await approvals.judge({ kind: 'server', key, name: key, tools });
      if (!keys.has(instance_id)) return records;
      const isChanged = ({ callable_id }: CapabilityRecord): boolean => changed.has(callable_id);
      held.set(instance_id, quarantined ? records.filter(isChanged) : []);
      if (quarantined) return records.filter(each => !isChanged(each));
      return records.map(each => (isChanged(each) ? { ...each, flags: ['changed', ...(each.flags ?? [])] } : each));
    },
    /** The record of a tool that is kept away, by any of its names. */
    kept: (instance_id: string, name: string): CapabilityRecord | undefined =>
      held.get(instance_id)?.find(each => [each.backend_tool, each.callable_id, each.tool_slug].includes(name)),
    keepsAny: (): boolean => [...held.values()].some(each => each.length > 0),
  };
}

/** Ids are given anew with each registration; the address is what somebody chose. */
const keyOf = ({ dcc_type, mcp_url }: Instance): string => revealed(`${dcc_type} ${mcp_url}`);

const saidBy = ({ fingerprint = '', description, annotations = {} }: CapabilityRecord): SaidOfTool => ({
  ...{ fingerprint, description },
  hints: canonicalJson(annotations),
});
