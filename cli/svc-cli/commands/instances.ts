/** `svc-cli instances`: the servers that agents reach through the gateway. */
import * as Flags from '@oclif/core/flags';
import { instancesText, type Listed } from '../../instance-table.ts';
import { GatewayCommand } from '../base.ts';

export class Instances extends GatewayCommand {
  static override summary = 'List the servers behind the gateway';
  static override description =
    'As the gateway sees them, those of other machines and foreign MCP servers too. The id, or its beginning, is what other commands take.';
  static override examples = [
    '<%= config.bin %> instances',
    '<%= config.bin %> instances --dcc-type maya',
    '<%= config.bin %> instances --json',
  ];
  static override flags = {
    'dcc-type': Flags.string({ description: 'only those of this host type', aliases: ['dcc'], helpValue: '<name>' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Instances);
    const gateway = await this.gateway(flags.gateway);
    const answer = await gateway.ask<{ instances: Listed[] }>('GET', '/v1/instances');
    const wanted = flags['dcc-type']?.toLowerCase();
    const instances = answer.instances.filter(each => wanted === undefined || each.dcc_type.toLowerCase() === wanted);
    const value = wanted === undefined ? answer : { total: instances.length, instances };
    this.show({ value, rows: instances, text: () => instancesText(instances) });
  }
}
