/** `svc-cli doctor`: what is wrong here, and what to run next. */
import * as Flags from '@oclif/core/flags';
import { columns, plain, terminalLooks } from '../../columns.ts';
import { ClientCommand } from '../base.ts';
import type { Check } from '../doctor/check.ts';
import { doctorReport } from '../doctor/report.ts';
import { addressOf } from '../gateway.ts';

export class Doctor extends ClientCommand {
  static override summary = 'Check what goes wrong in practice';
  static override description =
    'Looks at Node, the clock and the installation, at the settings of the environment (or of --config), at folders that others may write to, at the gateway and who has its port, at locks, rows and records that somebody left, at the job stores of servers that are down, at skill packages that are refused, and at every program that runs. It only reads, and starts nothing. Each finding comes with the command to run next. Exits with 0 when nothing is broken, warnings or not, with 1 otherwise.';
  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor --json',
    '<%= config.bin %> doctor --config server.yaml --output ndjson',
  ];
  static override flags = {
    config: Flags.string({
      description: 'configuration file of a server, whose job store and skills are looked at',
      helpValue: '<file>',
    }),
    gateway: Flags.string({ description: 'address of the gateway to look at', helpValue: '<url>' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    const gateway = flags.gateway === undefined ? undefined : addressOf(flags.gateway);
    const report = await doctorReport({ config: flags.config, gateway });
    this.show({ value: report, rows: report.checks, text: () => checksText(report.checks) });
    if (report.status === 'error') this.exit(1);
  }
}

function checksText(checks: readonly Check[]): string {
  const rows = checks.map(each => [each.level, each.check, each.message]);
  const next = new Map(checks.flatMap(each => (each.next ? [[each.next, each.check]] : [])));
  const told = [...next].map(([command, check]) => `  ${plain(command)}   # ${plain(check)}`);
  const table = columns([['STATE', 'CHECK', 'FOUND'], ...rows], { colour: terminalLooks().colour === true });
  return [table, ...(told.length > 0 ? ['', 'To run next:', ...told] : [])].join('\n');
}
