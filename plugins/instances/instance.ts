/** One instance as the gateway sees it, from what is asserted and what was found out. */
import { hostInUrl } from '../../schemas/address.ts';
import type { Instance, InstanceProbe, InstanceRow, InstanceStatus } from './api.ts';
import type { Assertion } from './assertions.ts';
import type { Finding } from './finding.ts';

/** First 8 hex digits of a UUID. */
export const shortOf = (instanceId: string): string => instanceId.replaceAll('-', '').slice(0, 8);

export function createInstance(
  assertion: Assertion,
  finding: Finding,
  { stale, dead }: Pick<Instance, 'stale' | 'dead'>,
): Instance {
  const { row, source, meta } = assertion;
  const { instance_id, dcc_type, host, port } = row;
  const mcp_url = row.metadata.mcp_url || `http://${hostInUrl(host)}:${port}/mcp`;
  const status = effective(assertion, finding, stale, dead);
  const callable = status === 'available' || status === 'busy';
  return {
    ...{ instance_id, dcc_type, row, source, host, port, mcp_url },
    instance_short: shortOf(instance_id),
    source_meta: meta,
    discovery_mcp_url: row.metadata.discovery_mcp_url ?? (isSidecar(row) ? '' : mcp_url),
    origin: originOf(mcp_url, row),
    ...{ status, stale, dead },
    routable: callable && dcc_type.toLowerCase() !== 'unknown',
    // Both go on by themselves: a heartbeat or a probe that finds what was known is no other instance.
    get last_heartbeat() {
      return assertion.at;
    },
    probe: finding,
  };
}

/** What is left of an instance that has gone: nobody may call it, and what it says of itself is no longer true. */
export function departed(
  before: Instance,
  dead: boolean,
  last_error: NonNullable<InstanceProbe['last_error']>,
): Instance {
  if (!dead) return { ...before, routable: false };
  const probe = { ...before.probe, readiness: null, last_error };
  return { ...before, status: 'unreachable', stale: false, routable: false, dead, probe };
}

/** A process beside a host, which runs the host's tools and may leave its skills to another. */
export const isSidecar = ({ metadata }: Pick<InstanceRow, 'metadata'>): boolean =>
  metadata.dcc_mcp_instance_type === 'sidecar' || metadata.dcc_mcp_role === 'per-dcc-sidecar';

function effective({ row, displaced }: Assertion, finding: Finding, stale: boolean, dead: boolean): InstanceStatus {
  if (stale) return 'stale';
  if (dead || displaced || finding.state === 'unreachable') return 'unreachable';
  if (row.port === 0 || finding.state === 'booting') return 'booting';
  return row.status;
}

/** The part of the MCP address that the REST paths share: behind a relay it has a path of its own. */
function originOf(mcpUrl: string, row: InstanceRow): string {
  try {
    const url = new URL(mcpUrl);
    return url.pathname.endsWith('/mcp') ? url.origin + url.pathname.slice(0, -'/mcp'.length) : url.origin;
  } catch {
    return `http://${hostInUrl(row.host)}:${row.port}`;
  }
}

/** True when clients would see no difference; the time of the last heartbeat is none. */
export function sameInstance(a: Instance, b: Instance): boolean {
  return (
    a.status === b.status &&
    a.stale === b.stale &&
    a.source === b.source &&
    a.mcp_url === b.mcp_url &&
    a.routable === b.routable &&
    textOf(a.source_meta) === textOf(b.source_meta) &&
    textOf(a.probe.readiness) === textOf(b.probe.readiness) &&
    (a.row === b.row || textOf(a.row) === textOf(b.row))
  );
}

const textOf = (value: unknown): string => JSON.stringify(value);
