/** A row for an instance of another machine, from the little that such a source says. */
import type { InstanceRow, RemoteInstance } from './api.ts';

/** `seconds` is now, since the epoch. */
export function remoteRow(source: string, input: RemoteInstance, seconds: number): InstanceRow {
  const url = new URL(input.mcp_url);
  return {
    schema_version: 1,
    instance_id: input.instance_id.toLowerCase(),
    dcc_type: input.dcc_type,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    version: input.version ?? null,
    adapter_version: input.adapter_version ?? null,
    adapter_dcc: null,
    scene: input.scene ?? null,
    documents: [],
    // A process id of another machine means nothing here.
    pid: null,
    host_pid: null,
    display_name: null,
    metadata: { mcp_url: input.mcp_url, dcc_mcp_registry_source: source, ...input.metadata },
    extras: {},
    registered_at: seconds,
    status: 'available',
    capacity: 1,
    lease_owner: null,
    current_job_id: null,
    lease_expires_at: null,
  };
}
