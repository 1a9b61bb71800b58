/** `svc-server instances`: the servers that agents reach through the gateway. */
import { SvcCommand } from '../base.ts';
import { cliErrors } from '../errors.ts';
import { instancesText, type Listed } from '../instance-table.ts';
import { findRunning, gatewayOf } from '../running.ts';

export class Instances extends SvcCommand {
  static override summary = 'List the servers behind the gateway';
  static override description =
    'As the gateway of this user sees them, those of other machines and foreign MCP servers too; svc-server status shows what runs on this machine.';
  static override examples = ['<%= config.bin %> instances', '<%= config.bin %> instances --json'];

  async run(): Promise<void> {
    const { flags } = await this.parse(Instances);
    const gateway = gatewayOf(await findRunning());
    if (!gateway) throw cliErrors.NO_GATEWAY();
    const answer = await fetch(new URL('/v1/instances', gateway.url), { headers: { accept: 'application/json' } });
    const listed = (await answer.json()) as { instances?: Listed[] };
    if (flags.json) return this.print(JSON.stringify(listed));
    this.print(instancesText(listed.instances ?? []));
  }
}
