/** Stored feedback, as a gateway lists it. */
import { Flags } from '@oclif/core';
import type { FeedbackListing } from '../../plugins/feedback/api.ts';
import { describeFailure } from '../exit-codes.ts';
import type { Gateway } from './gateway.ts';

export const listingFlags = {
  range: Flags.string({
    description: 'how far back: 1h, 24h, 7d or all',
    options: ['1h', '24h', '7d', 'all'],
    default: '7d',
  }),
  dcc: Flags.string({ description: 'of this host type', helpValue: '<type>' }),
  severity: Flags.string({
    description: 'of this severity; blocked is an older word for blocker',
    options: ['blocked', 'blocker', 'degraded', 'workaround_found', 'suggestion'],
  }),
};

export interface ListingQuery {
  range: string;
  dcc?: string | undefined;
  severity?: string | undefined;
}

/** Where the administration is elsewhere, or closed, its mirror is asked. */
export async function askListing(gateway: Gateway, query: ListingQuery, limit: number): Promise<FeedbackListing> {
  const given = Object.entries({ ...query, limit }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  const search = `?${new URLSearchParams(Object.fromEntries(given))}`;
  try {
    return await gateway.ask('GET', `/admin/api/feedback${search}`);
  } catch (error) {
    if (describeFailure(error).details?.status !== 404) throw error;
    return gateway.ask('GET', `/v1/debug/feedback${search}`);
  }
}

/** What a person should know beside the rows. */
export function notesOf({ total, count, truncated, skipped_invalid, filters }: FeedbackListing): string[] {
  return [
    ...(truncated ? [`${count} of ${total} reports of the last ${filters.range}`] : []),
    ...(skipped_invalid > 0 ? [`${skipped_invalid} stored lines are no reports and were skipped`] : []),
  ];
}
