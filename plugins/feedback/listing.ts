/** Answers questions about stored feedback: which records, newest first, and how many there are. */
import { createTurns } from '../../schemas/awaitable.ts';
import type { FeedbackListing } from './api.ts';
import { feedbackErrors } from './errors.ts';
import { createMetIds } from './met-ids.ts';
import { bounds, feedbackFolder } from './records.ts';
import { type StoredRecord, scanFeedback } from './scan.ts';

const hour = 3600;
const ranges: Readonly<Record<string, number>> = {
  ...{ '1h': hour, '24h': 24 * hour, '7d': 7 * 24 * hour },
  all: Number.POSITIVE_INFINITY,
};
const severities = ['blocked', 'blocker', 'degraded', 'workaround_found', 'suggestion'];
const limits = { standard: 100, most: 1000 };

/** Throws SVC_FEEDBACK_QUERY. */
function filtersOf(query: Readonly<Record<string, unknown>>): FeedbackListing['filters'] {
  const refuse = (reason: string) => feedbackErrors.QUERY({ reason });
  for (const [name, value] of Object.entries(query)) {
    if (!['range', 'dcc', 'dcc_type', 'severity', 'limit'].includes(name)) {
      throw refuse(`"${name}" is not a parameter (use range, dcc, severity and limit)`);
    }
    if (typeof value !== 'string') throw refuse(`"${name}" stands there twice`);
  }
  const {
    range = '7d',
    dcc,
    dcc_type = null,
    severity = null,
    limit = String(limits.standard),
  } = query as Partial<Record<string, string>>;
  if (!Object.hasOwn(ranges, range)) throw refuse(`"range" must be one of ${Object.keys(ranges).join(', ')}`);
  if (severity !== null && !severities.includes(severity)) {
    throw refuse(`"severity" must be one of ${severities.join(', ')}`);
  }
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > limits.most) {
    throw refuse(`"limit" must be a whole number from 1 to ${limits.most}`);
  }
  const type = dcc ?? dcc_type;
  if (type === '') throw refuse('"dcc" is empty');
  return { range, dcc: type, severity, limit: Number(limit) };
}

/** An older word for the same. */
const isSevere = (severity: unknown, wanted: string): boolean =>
  severity === wanted || (wanted.startsWith('block') && (severity === 'blocked' || severity === 'blocker'));

const newestFirst = (one: StoredRecord, other: StoredRecord): number =>
  other.timestamp - one.timestamp || (one.id < other.id ? -1 : 1);

/** The newest of many, of which it holds few. */
function createNewest(limit: number) {
  const kept: StoredRecord[] = [];
  let oldest = Number.NEGATIVE_INFINITY;
  const cut = (): void => {
    kept.sort(newestFirst).splice(limit);
    if (kept.length === limit) oldest = kept.at(-1)?.timestamp ?? oldest;
  };
  return {
    add(record: StoredRecord): void {
      if (record.timestamp < oldest) return;
      kept.push(record);
      if (kept.length >= limit * 2) cut();
    },
    list(): StoredRecord[] {
      cut();
      return kept;
    },
  };
}

export function createFeedbackListing(registry: string, now: () => number) {
  // One at a time: each may read all that there is.
  const turns = createTurns();
  const met = createMetIds();

  const read = async (filters: FeedbackListing['filters']): Promise<FeedbackListing> => {
    const { range, dcc, severity, limit } = filters;
    const since = now() / 1000 - (ranges[range] as number);
    const wanted = dcc?.toLowerCase();
    const newest = createNewest(limit);
    met.clear();
    let deduplicated = 0;
    const counts = await scanFeedback(feedbackFolder(registry), record => {
      if (record.timestamp < since) return;
      if (wanted !== undefined && String(record.dcc_type).toLowerCase() !== wanted) return;
      if (severity !== null && !isSevere(record.severity, severity)) return;
      if (!met.add(record.id)) {
        deduplicated += 1;
        return;
      }
      if (met.size > bounds.matches) {
        throw feedbackErrors.UNREADABLE({ reason: `more than ${bounds.matches} records match: ask for fewer` });
      }
      newest.add(record);
    });
    const entries = newest.list();
    const { size: total } = met;
    return {
      ...{ success: true, source: 'registry-jsonl', total, count: entries.length, truncated: total > entries.length },
      ...{ skipped_invalid: counts.skipped_invalid, deduplicated, files_scanned: counts.files_scanned },
      ...{ filters, entries },
    };
  };

  return {
    /** `query` as it came; rejects with SVC_FEEDBACK_QUERY or SVC_FEEDBACK_UNREADABLE. */
    async list(query: Readonly<Record<string, unknown>>): Promise<FeedbackListing> {
      const filters = filtersOf(query);
      return turns.take('', () => read(filters));
    },
  };
}
