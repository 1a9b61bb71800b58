/** Log levels of MCP, least severe first. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** What a session receives before it has set a level. */
export const defaultLevel = 1;

export function levelRank(name: unknown): number | undefined {
  const rank = logLevels.indexOf(name as (typeof logLevels)[number]);
  return rank < 0 ? undefined : rank;
}
