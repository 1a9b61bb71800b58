/** `svc-cli feedback bundle`: diagnostics of a finding that anybody may read. */
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { columns } from '../../../columns.ts';
import { stateDirectory } from '../../../state.ts';
import { GatewayCommand } from '../../base.ts';
import { type Bundle, makeBundle } from '../../bundle/bundle.ts';
import { readInstallReport } from '../../bundle/install-report.ts';
import { readReviewedFinding } from '../../finding-file.ts';
import { addressOf } from '../../gateway.ts';
import { privateNames } from '../../private-names.ts';

const lines = { standard: 50, most: 200 };

export class FeedbackBundle extends GatewayCommand {
  static override summary = 'Gather diagnostics of a reviewed finding that anybody may read';
  static override description =
    "The finding, its versions, what doctor says here, the gateway's report of the request, the end of the host's error log and the report of the installation; each without credentials, paths, addresses and ids, and without what messages say. What is not there says why. It only reads, starts nothing, and has no raw form.";
  static override examples = [
    '<%= config.bin %> feedback bundle finding.json --json > bundle.json',
    '<%= config.bin %> feedback bundle finding.json --install-report report.json --dcc-pid 4711',
  ];
  static override args = {
    finding_file: Args.string({ description: 'file with one reviewed finding as JSON', required: true }),
  };
  static override flags = {
    'install-report': Flags.string({ description: 'file with an Install SOP v1 that has ended', helpValue: '<file>' }),
    'dcc-pid': Flags.integer({
      description: 'process of the host, instead of evidence.dcc_pid',
      min: 1,
      helpValue: '<n>',
    }),
    'log-dir': Flags.string({
      description: "folder of the hosts' error logs, instead of SVC_LOG_DIR or the place for logs of this system",
      helpValue: '<dir>',
    }),
    'host-error-lines': Flags.integer({
      description: `how many lines of the end, at most ${lines.most}`,
      ...{ min: 1, max: lines.most, default: lines.standard, helpValue: '<n>' },
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FeedbackBundle);
    const { finding } = await readReviewedFinding(args.finding_file);
    const names = privateNames();
    // Before anything else is looked at.
    const report = flags['install-report'];
    const installReport = report === undefined ? undefined : await readInstallReport(report, finding);
    const address = flags.gateway === undefined ? undefined : addressOf(flags.gateway);
    const { dcc_pid } = finding.evidence;
    const known = Number.isSafeInteger(dcc_pid) && Number(dcc_pid) > 0 ? Number(dcc_pid) : undefined;
    const bundle = await makeBundle({
      ...{ finding, installReport, names },
      hostErrors: {
        pid: flags['dcc-pid'] ?? known,
        directory: flags['log-dir'] ?? (process.env.SVC_LOG_DIR || stateDirectory()),
        maxLines: flags['host-error-lines'],
        names,
      },
      // It only reads: what others left stays, too.
      gateway: () => this.gateway(flags.gateway, { tidy: false }),
      doctor: async () => (await import('../../doctor/report.ts')).doctorReport({ gateway: address }),
    });
    this.show({ value: bundle, text: () => bundleText(bundle) });
  }
}

function bundleText({ complete, components }: Bundle): string {
  const rows = Object.entries(components).map(([name, each]) => [
    name,
    each.status,
    each.status === 'included' ? '' : each.reason,
  ]);
  const whole = complete ? 'The bundle is complete.' : 'The bundle is not complete.';
  return [columns([['COMPONENT', 'STATE', 'WHY'], ...rows]), '', `${whole} --json prints it.`].join('\n');
}
