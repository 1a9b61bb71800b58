/** `svc-server status`: what of svc runs for this user, and how it is. */
import { SvcCommand } from '../base.ts';
import { columns, since, terminalLooks } from '../columns.ts';
import { conditionOf, remarksOn } from '../condition.ts';
import { findRunning, type Running } from '../running.ts';
import { selected, selectionArgs } from '../selection.ts';

export class Status extends SvcCommand {
  static override summary = 'Show what runs: servers, gateway, relays and tunnels';
  static override description =
    'Every server, gateway, relay and tunnel of this user, with its address and how it is; servers inside applications too. The address of a tunnel is the one that its relay gave it; a relay says how many tunnels it has, and which with --json.';
  static override examples = ['<%= config.bin %> status', '<%= config.bin %> status maya --json'];
  static override strict = false;
  static override args = selectionArgs;

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Status);
    const running = selected(await findRunning(), argv as string[]);
    if (flags.json) {
      const told = running.map(each => ({ ...each, condition: conditionOf(each), remarks: remarksOn(each) }));
      return this.print(JSON.stringify({ total: told.length, running: told }));
    }
    if (running.length === 0) return this.print('Nothing runs. Start a server: svc-server serve');
    const head = ['NAME', 'KIND', 'PID', 'VERSION', 'UP', 'HEALTH', 'ADDRESS'];
    const rows = running.map(each => [
      each.name,
      each.embedded ? `${each.kind} in an application` : each.kind,
      String(each.pid),
      each.version,
      since(each.started_at),
      conditionOf(each),
      addressOf(each),
    ]);
    this.print(columns([head, ...rows], terminalLooks()));
    for (const remark of running.flatMap(remarksOn)) this.print(`\n${remark}`);
  }
}

/** Where it is reached: a server behind a tunnel, at its relay. */
const addressOf = ({ url, health }: Running): string =>
  typeof health?.public_url === 'string' ? `${health.public_url}/mcp` : url;
