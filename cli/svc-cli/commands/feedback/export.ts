/** `svc-cli feedback export`: stored reports as they are, for other programs. */
import { GatewayCommand } from '../../base.ts';
import { askListing, listingFlags, notesOf } from '../../stored-feedback.ts';

const rows = 1000;

export class FeedbackExport extends GatewayCommand {
  static override summary = 'Print stored reports, a line of JSON each';
  static override description =
    'Up to 1,000 reports, newest first, whole: what agents wrote may hold paths and names. With --json one value, with the counters of the gateway.';
  static override examples = [
    '<%= config.bin %> feedback export --range all --output ndjson > feedback.jsonl',
    '<%= config.bin %> feedback export --dcc maya --json',
  ];
  static override flags = listingFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(FeedbackExport);
    const { range, dcc, severity } = flags;
    const gateway = await this.gateway(flags.gateway);
    const listing = await askListing(gateway, { range, dcc, severity }, rows);
    const { entries } = listing;
    this.show({ value: listing, rows: entries, text: () => entries.map(each => JSON.stringify(each)).join('\n') });
    for (const note of notesOf(listing)) this.remark(note);
  }
}
