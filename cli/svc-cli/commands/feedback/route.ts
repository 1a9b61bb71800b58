/** `svc-cli feedback route`: whose a finding is. */
import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../base.ts';
import { readCatalog, readFinding, routeFinding } from '../../finding-file.ts';

export class FeedbackRoute extends ClientCommand {
  static override summary = 'Say which repository owns a finding';
  static override description =
    "Reads files and asks nobody. Kinds of errors of gateway, client and protocol are the core's; phases install, startup and dispatch go by the adapter's package in the catalogue, phase skill by the links of the skill in evidence.routing. What is missing, twice or contradictory is an error and never a guess.";
  static override examples = [
    '<%= config.bin %> feedback route finding.json --json',
    '<%= config.bin %> feedback route finding.json --catalog studio-catalog.yml',
  ];
  static override args = {
    finding_file: Args.string({ description: 'file with one finding as JSON', required: true }),
  };
  static override flags = {
    catalog: Flags.string({
      description: 'catalogue of packages, YAML or JSON, instead of dcc-mcp-catalog.yml here or the bundled one',
      helpValue: '<file>',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FeedbackRoute);
    const { finding } = await readFinding(args.finding_file);
    const { packages } = await readCatalog(flags.catalog);
    const route = routeFinding(finding, packages);
    this.show({ value: route, text: () => `${route.repo}  ${route.issues_url}  (${route.rationale})` });
  }
}
