/** `svc-cli traffic replay`: captured calls, sent again; which answers changed. */
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { cliErrors } from '../../../errors.ts';
import { GatewayCommand } from '../../base.ts';
import { readCaptures } from '../../replay/captured.ts';
import { countsOf, replay } from '../../replay/replay.ts';
import { reportText } from '../../replay/report.ts';
import { createSender } from '../../replay/sending.ts';

export class TrafficReplay extends GatewayCommand {
  static override summary = 'Send captured tool calls again, and say which answers changed';
  static override description =
    'Reads a jsonl file of the traffic capture, or what /v1/debug/traffic/export gave, and sends its calls to the gateway one after the other, by the doors that they came by: the tools run again. Ids, times of passing and what was redacted are not compared. A call for an instance that has gone goes to the one of its host type that runs. Calls that were redacted or cut cannot be sent again; they are named. Who made a call is left out. Exits with 0 when no answer changed, with 1 when one changed or a call failed, with 2 when the file holds no call that can be sent.';
  static override examples = [
    '<%= config.bin %> traffic replay traffic.jsonl',
    "<%= config.bin %> traffic replay traffic.jsonl --tool 'maya.*' --ignore elapsed_ms --json",
    '<%= config.bin %> traffic replay traffic.jsonl --dry-run',
    '<%= config.bin %> traffic replay traffic.jsonl --gateway http://127.0.0.1:9765 --output ndjson',
  ];
  static override args = { file: Args.string({ description: 'file of captured frames', required: true }) };
  static override flags = {
    tool: Flags.string({
      description: 'only calls of this tool_slug or name; * stands for any text',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ignore: Flags.string({
      description: 'a path or a name in answers that is not compared; * stands for any text',
      multiple: true,
      multipleNonGreedy: true,
    }),
    instance: Flags.string({ description: 'id of the instance that serves for those that have gone' }),
    timeout: Flags.integer({ description: 'seconds to wait for each answer', min: 1, max: 86_400, default: 120 }),
    'dry-run': Flags.boolean({ description: 'send nothing, only say what would be sent' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TrafficReplay);
    const { calls, skipped_lines } = await readCaptures(args.file);
    if (calls.length === 0) throw cliErrors.NO_CAPTURES({ path: args.file, skipped: skipped_lines });
    const gateway = flags['dry-run'] ? undefined : await this.gateway(flags.gateway);
    const sender = gateway && (await createSender(gateway, flags.instance));
    try {
      const replayed = await replay(calls, {
        ...{ sender, tools: flags.tool ?? [], ignored: flags.ignore ?? [], timeoutMs: flags.timeout * 1000 },
        onCall: call => (this.format === 'ndjson' ? this.print(JSON.stringify(call)) : undefined),
      });
      const counts = countsOf(replayed);
      const value = {
        file: args.file,
        gateway: gateway?.url ?? null,
        total: replayed.length,
        ...counts,
        skipped_lines,
        calls: replayed,
      };
      // As they came, above.
      if (this.format !== 'ndjson') this.show({ value, text: () => reportText(replayed, skipped_lines) });
      if (counts.changed + counts.failed > 0) this.exit(1);
      if (replayed.every(each => each.outcome === 'not_replayed'))
        throw cliErrors.NOTHING_TO_REPLAY({ path: args.file });
    } finally {
      await sender?.close();
    }
  }
}
