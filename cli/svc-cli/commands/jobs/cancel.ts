/** `svc-cli jobs cancel`: asks a background job to stop. */
import * as Args from '@oclif/core/args';
import { structured } from '../../../called-tool.ts';
import type { Fields } from '../../../mcp-client.ts';
import { GatewayCommand } from '../../base.ts';
import { callJobTool } from '../../jobs.ts';

export class JobsCancel extends GatewayCommand {
  static override summary = 'Cancel a background job';
  static override description =
    'Asks the job, and those that it started, to stop. One that has ended stays what it is, and that is no failure.';
  static override examples = ['<%= config.bin %> jobs cancel 3f0c6d1e-8a55-4a0e-9f44-2f1f3b1f9d10'];
  static override args = { job: Args.string({ description: 'id of the job, from its receipt', required: true }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(JobsCancel);
    const gateway = await this.gateway(flags.gateway);
    const result = await callJobTool(gateway, 'jobs_cancel', { job_id: args.job });
    const told = structured(result) as Fields;
    const text =
      told.cancel_requested === true ? `is asked to stop: it is ${told.status}` : `had ended: ${told.status}`;
    this.show({ value: told, text: () => `Job ${args.job} ${text}` });
  }
}
