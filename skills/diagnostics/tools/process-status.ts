/** How the server process fares, with what is unusual about it in words. */
import type { SkillContext } from 'svc';
import { ask, type Fields, isFields, succeed } from '../lib/server.ts';

/** Above these a person should look. */
const concerns = [
  { group: 'memory_mb', field: 'rss', above: 1024, text: 'the process takes over 1 GB of memory' },
  { group: 'event_loop', field: 'delay_p99_ms', above: 100, text: 'the event loop is late by over 100 ms at times' },
  { group: 'event_loop', field: 'utilization', above: 0.9, text: 'the event loop is busy over 90 % of the time' },
] as const;

export default async function processStatus(_args: Fields, ctx: SkillContext) {
  const status = await ask(ctx, 'svc.server_status');
  const numberAt = (group: string, field: string): number | undefined => {
    const fields = status[group];
    const value = isFields(fields) ? fields[field] : undefined;
    return typeof value === 'number' ? value : undefined;
  };
  const found = concerns
    .filter(({ group, field, above }) => (numberAt(group, field) ?? 0) > above)
    .map(({ text }) => text);
  const facts = [
    typeof status.uptime_secs === 'number' ? `up ${duration(status.uptime_secs)}` : undefined,
    numberAt('memory_mb', 'rss') === undefined ? undefined : `${numberAt('memory_mb', 'rss')} MB resident`,
    numberAt('event_loop', 'delay_p99_ms') === undefined
      ? undefined
      : `loop delay p99 ${numberAt('event_loop', 'delay_p99_ms')} ms`,
    typeof status.tools === 'number' ? `${status.tools} tools` : undefined,
    typeof status.skills_loaded === 'number' ? `${status.skills_loaded} skills loaded` : undefined,
    typeof status.sessions === 'number' ? `${status.sessions} sessions` : undefined,
  ].filter(fact => fact !== undefined);
  const verdict = found.length === 0 ? 'Healthy' : `Look at this: ${found.join('; ')}`;
  return succeed(`${verdict}. Server ${facts.join(', ')}.`, { healthy: found.length === 0, concerns: found, status });
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
