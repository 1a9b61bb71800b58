/** `svc-cli feedback list`: what was reported, newest first. */
import type { FeedbackListing } from '../../../../plugins/feedback/api.ts';
import { text } from '../../../../schemas/loose.ts';
import { columns, since } from '../../../columns.ts';
import { GatewayCommand } from '../../base.ts';
import { askListing, listingFlags, notesOf } from '../../stored-feedback.ts';

const rows = 100;
const shownText = 60;

export class FeedbackList extends GatewayCommand {
  static override summary = 'List what was reported, newest first';
  static override description =
    'The newest 100 reports that all gateways and servers of this user have stored, each once. With --json the whole answer, with its counters; feedback export gives up to 1,000.';
  static override examples = [
    '<%= config.bin %> feedback list',
    '<%= config.bin %> feedback list --range 24h --dcc maya --severity blocker --json',
  ];
  static override flags = listingFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(FeedbackList);
    const { range, dcc, severity } = flags;
    const gateway = await this.gateway(flags.gateway);
    const listing = await askListing(gateway, { range, dcc, severity }, rows);
    this.show({ value: listing, rows: listing.entries, text: () => tableOf(listing) });
    for (const note of notesOf(listing)) this.remark(note);
  }
}

function tableOf({ entries }: FeedbackListing): string {
  if (entries.length === 0) return 'Nothing was reported.';
  const cells = entries.map(each => [
    since(new Date(Number(each.timestamp) * 1000).toISOString()),
    ...['severity', 'dcc_type', 'phase'].map(name => text(each[name]) ?? ''),
    subjectOf(each),
    shortened(text(each.observed) ?? text(each.blocker) ?? ''),
    text(each.id) ?? '',
  ]);
  return columns([['AGO', 'SEVERITY', 'HOST', 'PHASE', 'ABOUT', 'OBSERVED', 'ID'], ...cells]);
}

const subjectOf = ({ tool_slug, tool_name, evidence }: Record<string, unknown>): string =>
  text(tool_slug) ?? text(tool_name) ?? text((evidence as { error_kind?: unknown } | undefined)?.error_kind) ?? '';

/** One line, without what a terminal would obey. */
function shortened(long: string): string {
  const line = long.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return line.length > shownText ? `${line.slice(0, shownText - 1)}…` : line;
}
