/** A row for an instance of another machine, from the little that such a source says. */
import { completeRow } from '../../schemas/instance.ts';
import type { InstanceRow, RemoteInstance } from './api.ts';

/** A process id of another machine means nothing here: the row has none. */
export function remoteRow(source: string, input: RemoteInstance, registered_at: number): InstanceRow {
  const { dcc_type, mcp_url, version = null, adapter_version = null, scene = null } = input;
  const { hostname, port, protocol } = new URL(mcp_url);
  return completeRow({
    ...{ dcc_type, version, adapter_version, scene, registered_at },
    instance_id: input.instance_id.toLowerCase(),
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    metadata: { mcp_url, dcc_mcp_registry_source: source, ...input.metadata },
  });
}
