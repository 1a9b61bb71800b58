/** The servers behind a gateway for people: one table for both programs. */
import { columns, terminalLooks } from './columns.ts';

/** As much of a row of `/v1/instances` as is shown. */
export interface Listed {
  instance_id: string;
  instance_short?: string;
  dcc_type: string;
  status: string;
  stale?: boolean;
  scene?: string | null;
  mcp_url?: string | null;
  instance_status?: { recommended_next_action?: string };
}

export function instancesText(instances: readonly Listed[]): string {
  if (instances.length === 0) return 'The gateway knows no server. Start one: svc-server serve';
  const rows = instances.map(each => [
    each.dcc_type,
    each.stale ? 'stale' : each.status,
    each.instance_short ?? each.instance_id.slice(0, 8),
    each.scene ?? '',
    each.mcp_url ?? '',
  ]);
  return columns([['NAME', 'STATUS', 'ID', 'SCENE', 'ADDRESS'], ...rows], terminalLooks());
}
