/** The newest reports of this process, for the host that asks. */
import type { FeedbackEntry, FeedbackFilter } from './api.ts';

export const entryCapacity = 500;
const standardLimit = 50;

export function createFeedbackEntries() {
  let kept: FeedbackEntry[] = [];
  return {
    add(entry: FeedbackEntry): void {
      kept = [entry, ...kept].slice(0, entryCapacity);
    },
    /** Newest first. */
    list({ tool_name, severity, limit = standardLimit }: FeedbackFilter = {}): FeedbackEntry[] {
      const wanted = severity === 'blocked' ? 'blocker' : severity;
      const fits = (entry: FeedbackEntry): boolean =>
        (tool_name === undefined || entry.tool_slug === tool_name) &&
        (wanted === undefined || entry.severity === wanted);
      return kept.filter(fits).slice(0, limit);
    },
    clear(): number {
      const { length } = kept;
      kept = [];
      return length;
    },
  };
}
