/** `svc-cli doctor`: what is wrong here, and what to run next. */
import { packageVersion } from '../../../kernel/light.ts';
import { columns, plain, terminalLooks } from '../../columns.ts';
import { ClientCommand } from '../base.ts';
import { type Check, runChecks } from '../checks.ts';
import { configuredAddress } from '../gateway.ts';

export class Doctor extends ClientCommand {
  static override summary = 'Check what goes wrong in practice';
  static override description =
    'Looks at the registry directory and who may write there, at the gateway and who has its port, at every program that runs, at what ended without saying so, at Node and at the clock. It only reads, and starts nothing. Exits with 0 when nothing is broken, warnings or not, with 1 otherwise.';
  static override examples = ['<%= config.bin %> doctor', '<%= config.bin %> doctor --json'];

  async run(): Promise<void> {
    await this.parse(Doctor);
    const { checks, running, registry_dir } = await runChecks();
    const broken = checks.some(each => each.level === 'error');
    const gateway = running.find(each => each.kind === 'gateway');
    const value = {
      status: broken ? 'error' : checks.some(each => each.level === 'warning') ? 'warning' : 'ok',
      cli: { name: 'svc-cli', version: packageVersion },
      local: { registry_dir, total: running.filter(each => each.kind === 'server').length },
      gateway: { default_base_url: configuredAddress() ?? null, status: gateway ? 'running' : 'not_running' },
      checks,
    };
    this.show({ value, rows: checks, text: () => checksText(checks) });
    if (broken) this.exit(1);
  }
}

function checksText(checks: readonly Check[]): string {
  const rows = checks.map(each => [each.level, each.check, each.message]);
  const next = checks.flatMap(each => (each.next ? [`  ${plain(each.next)}   # ${plain(each.check)}`] : []));
  const table = columns([['STATE', 'CHECK', 'FOUND'], ...rows], { colour: terminalLooks().colour === true });
  return [table, ...(next.length > 0 ? ['', 'To run next:', ...next] : [])].join('\n');
}
