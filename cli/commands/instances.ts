/** `svc-server instances`: the servers that agents reach through the gateway. */
import { SvcCommand } from '../base.ts';
import { instancesText, type Listed } from '../instance-table.ts';
import { findGateway } from '../svc-cli/gateway.ts';

export class Instances extends SvcCommand {
  static override summary = 'List the servers behind the gateway';
  static override description =
    'As the gateway of this user sees them, those of other machines and foreign MCP servers too; svc-server status shows what runs on this machine.';
  static override examples = ['<%= config.bin %> instances', '<%= config.bin %> instances --json'];

  async run(): Promise<void> {
    const { flags } = await this.parse(Instances);
    const gateway = await findGateway();
    const listed = await gateway.ask<{ instances?: Listed[] }>('GET', '/v1/instances');
    if (flags.json) return this.print(JSON.stringify(listed));
    this.print(instancesText(listed.instances ?? []));
  }
}
