/** How severe a log message is, as a number. */
import { type LogLevel, logLevels } from '../../../schemas/log-levels.ts';

/** What a session receives before it has set a level. */
export const defaultLevel = 1;

export function levelRank(name: unknown): number | undefined {
  const rank = logLevels.indexOf(name as LogLevel);
  return rank < 0 ? undefined : rank;
}
