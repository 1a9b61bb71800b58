/** How a running program is, in words, from the body of its `/health`. */
import { packageVersion } from '../kernel/light.ts';
import { compareVersions } from '../schemas/version.ts';
import type { Running } from './running.ts';

/** Members of `/health` with one of these states say that something is wrong. */
const wrong = new Set(['degraded', 'disabled', 'unavailable', 'silent']);

/** `ok`, or what is wrong. */
export function conditionOf({ health }: Running): string {
  if (health === null) return 'does not answer';
  const problems = Object.entries(health).flatMap(([name, value]) => {
    const { state, last_error_kind: kind } = (value ?? {}) as { state?: string; last_error_kind?: string | null };
    if (state === undefined || !wrong.has(state)) return [];
    return [`${name.replaceAll('_', ' ')} ${state}${kind ? ` (${kind.replaceAll('_', ' ')})` : ''}`];
  });
  if (health.ok !== true) problems.push('not ok');
  return problems.join(', ') || ['ok', ...tunnelsText(health)].join(', ');
}

/** How many tunnels a relay has, by host type. */
function tunnelsText({ tunnels }: Record<string, unknown>): string[] {
  if (!Array.isArray(tunnels)) return [];
  const types = new Map<string, number>();
  for (const { dcc } of tunnels as { dcc: string }[]) types.set(dcc, (types.get(dcc) ?? 0) + 1);
  const each = [...types].map(([dcc, count]) => `${count} ${dcc}`).join(', ');
  return [`${tunnels.length} ${tunnels.length === 1 ? 'tunnel' : 'tunnels'}${each && ` (${each})`}`];
}

/** What an operator should know beside, a sentence each. */
export function remarksOn({ name, version, embedded, health }: Running): string[] {
  const remarks: string[] = [];
  const ahead = version === '' ? 0 : compareVersions(version, packageVersion);
  if (ahead < 0) {
    const how = embedded ? 'restart its application' : `svc-server restart ${name}`;
    remarks.push(`${name} runs version ${version}, and ${packageVersion} is installed: ${how}`);
  } else if (ahead > 0) {
    const how = `use the svc-server that comes with it, or install ${version}`;
    remarks.push(`${name} runs version ${version}, which is newer than this svc-server (${packageVersion}): ${how}`);
  }
  const { state, reason } = (health?.relay ?? {}) as { state?: string; reason?: string };
  if (state === 'unavailable') remarks.push(`${name} is not connected, and tries again: ${reason}`);
  const { unread = 0, sources } = (health?.relay_sources ?? {}) as { unread?: number; sources?: number };
  if (unread > 0) remarks.push(`${name} cannot read ${unread} of ${sources} relays: its log says which, and why`);
  const { settings_differ } = (health?.gateway ?? {}) as { settings_differ?: string[] };
  if (settings_differ?.length) {
    remarks.push(`The gateway is set otherwise than ${name} would set it: ${settings_differ.join(', ')}`);
  }
  return remarks;
}
