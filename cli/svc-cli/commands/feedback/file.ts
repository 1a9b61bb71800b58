/** `svc-cli feedback file`: a finding becomes an issue, or a comment of one, when a person has said so. */
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { cliErrors } from '../../../errors.ts';
import { ClientCommand } from '../../base.ts';
import { authorisationOf } from '../../filing/authorisation.ts';
import { filingText } from '../../filing/filing-text.ts';
import { createLedger } from '../../filing/ledger.ts';
import { type Decision, planFiling, textOf } from '../../filing/plan.ts';
import { takeSnapshot } from '../../filing/snapshot.ts';
import { createTracker } from '../../filing/tracker.ts';
import { createTrackerProgram } from '../../filing/tracker-program.ts';
import { writeFiling } from '../../filing/write.ts';
import { privateNames } from '../../private-names.ts';

const expected = (what: string) =>
  Flags.string({ description: `${what}, as it was planned`, helpValue: '<text>', helpGroup: 'AUTHORISATION' });

export class FeedbackFile extends ClientCommand {
  static override summary = 'File a finding as an issue, or as a comment of the one that is there';
  static override description =
    'Without --yes it writes nothing: it looks for open issues of the same finding by the client gh, which has to be logged in, and prints what to do as next_step.argv, to be executed exactly as it is. That command line holds for these bytes of the finding and of the catalogue and this repository alone; what has changed, an issue that somebody has filed meanwhile and one that is closed stop it. The finding must be reviewed (redaction_status.mode public-safe).';
  static override examples = [
    '<%= config.bin %> feedback file finding.json --json',
    '<%= config.bin %> feedback file finding.json --catalog studio-catalog.yml',
  ];
  static override args = {
    finding_file: Args.string({ description: 'file with one reviewed finding as JSON', required: true }),
  };
  static override flags = {
    catalog: Flags.string({
      description: 'catalogue of packages, YAML or JSON, instead of dcc-mcp-catalog.yml here or the bundled one',
      helpValue: '<file>',
    }),
    existing: Flags.integer({
      description: 'comment this issue',
      min: 1,
      helpValue: '<number>',
      exclusive: ['create'],
    }),
    create: Flags.boolean({ description: 'make an issue' }),
    yes: Flags.boolean({ description: 'write, as it was planned: needs --existing or --create, and all --expected' }),
    'expected-finding-path': expected('path of the finding'),
    'expected-finding-sha256': expected('digest of the finding'),
    'expected-fingerprint': expected('fingerprint'),
    'expected-repo': expected('repository'),
    'expected-catalog-path': expected('path of the catalogue'),
    'expected-catalog-sha256': expected('digest of the catalogue'),
  };

  readonly #stop = new AbortController();

  /** With the client and all that it has started. */
  protected override stopped(): void {
    this.#stop.abort(cliErrors.CANCELLED());
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FeedbackFile);
    const decision: Decision | undefined = flags.create ? 'create' : flags.existing;
    const authorised = authorisationOf(flags, decision);
    const snapshot = () => takeSnapshot(args.finding_file, flags.catalog);
    const first = await snapshot();
    // Who is to look at it sees now that it cannot be filed.
    textOf(first, []);
    const run = createTrackerProgram({ env: process.env, signal: this.#stop.signal });
    const { repo, fingerprint } = first.binding;
    const [tracker, ledger] = [createTracker(repo, run), createLedger({ repo, fingerprint })];
    const filing =
      authorised && decision !== undefined
        ? await writeFiling({ authorised, decision, snapshot, tracker, ledger, names: privateNames() })
        : await planFiling(first, tracker, ledger);
    this.show({ value: filing, text: () => filingText(filing, first.issues_url) });
  }
}
