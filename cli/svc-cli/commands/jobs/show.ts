/** `svc-cli jobs show`: what a background job is, or will have come to. */
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { JobRecord } from '../../../../schemas/job.ts';
import { jobBehindGateway } from '../../../called-tool.ts';
import { cliErrors } from '../../../errors.ts';
import { GatewayCommand } from '../../base.ts';
import { jobText, statusOfJob } from '../../jobs.ts';

export class JobsShow extends GatewayCommand {
  static override summary = 'Show a background job';
  static override description =
    'Its state, its progress and, when it has ended, its result. With --wait it is followed to its end; Ctrl-C then only ends the waiting.';
  static override examples = [
    '<%= config.bin %> jobs show 3f0c6d1e-8a55-4a0e-9f44-2f1f3b1f9d10',
    '<%= config.bin %> jobs show 3f0c6d1e-8a55-4a0e-9f44-2f1f3b1f9d10 --wait --json',
  ];
  static override args = { job: Args.string({ description: 'id of the job, from its receipt', required: true }) };
  static override flags = {
    wait: Flags.boolean({ description: 'wait for the end of the job' }),
    timeout: Flags.integer({ description: 'seconds after which --wait gives up', min: 1, helpValue: '<s>' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(JobsShow);
    const gateway = await this.gateway(flags.gateway);
    let job = await statusOfJob(gateway, args.job);
    if (flags.wait && job.completed_at === null) {
      const client = await gateway.connect();
      const following = {
        timeout: flags.timeout,
        late: (timeout_secs: number) => cliErrors.JOB_TIMEOUT({ job: args.job, timeout_secs }),
      };
      await this.follow(following, told => jobBehindGateway(client, args.job, told)).finally(client.close);
      job = await statusOfJob(gateway, args.job);
    }
    this.show({ value: job, text: () => jobText(job) });
    if (flags.wait) this.assertCompleted(job);
  }

  private assertCompleted({ status, error, result }: JobRecord): void {
    if (status !== 'completed') throw cliErrors.TOOL_FAILED({ message: error ?? `The job is ${status}` });
    if (result?.isError === true)
      throw cliErrors.TOOL_FAILED({ message: 'The job has completed, and its tool failed' });
  }
}
