/** `svc-cli call`: one call of a tool behind the gateway, followed to its result. */
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { readArguments } from '../../call-arguments.ts';
import { givenArguments } from '../../call-input.ts';
import { failureOf, resultValue, shownResult } from '../../call-output.ts';
import { behindGateway, structured } from '../../called-tool.ts';
import { printable } from '../../columns.ts';
import { cliErrors } from '../../errors.ts';
import { GatewayCommand } from '../base.ts';

export class Call extends GatewayCommand {
  static override summary = 'Call a tool and wait for its result';
  static override description =
    'The result goes to stdout; progress and what the tool logs go to stderr. A background job is followed to its end. Ctrl-C and --timeout take the call back, its job too. Arguments come from --arg, from --arguments, or from stdin when the tool needs some and none are given; --json followed by a JSON object, @file or - is the same as --arguments. Exits with 1 when the tool fails, with 2 when it cannot be called so.';
  static override examples = [
    '<%= config.bin %> call maya.12ab34cd.render --arg frames=12',
    '<%= config.bin %> call render --arg frames=12 --arg layers=beauty --arg layers=depth',
    `<%= config.bin %> call render --json '{"frames": 12}'`,
    '<%= config.bin %> call render --arguments @arguments.json',
    'cat arguments.json | <%= config.bin %> call render',
    '<%= config.bin %> call render --arg frames=12 --timeout 60 --json',
  ];
  static override args = {
    tool: Args.string({
      description: 'tool_slug, as search shows it; its name where one instance alone has it',
      required: true,
    }),
  };
  static override flags = {
    arg: Flags.string({
      description: 'an argument, read as its schema says; again to add to a list, a.b for what is inside',
      helpValue: '<name>=<value>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    arguments: Flags.string({
      description: 'all arguments as a JSON object; @<file> reads them from a file, - from stdin',
      helpValue: '<json>',
    }),
    timeout: Flags.integer({ description: 'seconds after which the call is taken back', min: 1, helpValue: '<s>' }),
    'lease-owner': Flags.string({ description: 'who holds the lease of the instance', helpValue: '<name>' }),
    raw: Flags.boolean({ description: 'print the whole result, as MCP has it' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Call);
    const gateway = await this.gateway(flags.gateway);
    const client = await gateway.connect();
    try {
      const tool = await behindGateway(client, args.tool);
      if (!tool)
        throw cliErrors.TOOL_UNKNOWN({ tool: args.tool, where: `${gateway.url}: svc-cli search shows what is there` });
      const given = readArguments(
        flags.arg ?? [],
        tool.inputSchema,
        await givenArguments(flags.arguments, flags.arg, tool.inputSchema, '--arguments'),
      );
      const owner = flags['lease-owner'];
      const result = await this.follow(
        {
          timeout: flags.timeout,
          late: timeout_secs => cliErrors.CALL_TIMEOUT({ tool: args.tool, timeout_secs }),
          cancelled: () => cliErrors.CALL_CANCELLED({ tool: args.tool }),
        },
        told => tool.call(given, told, owner === undefined ? undefined : { lease_owner: owner }),
      );
      const value = flags.raw ? result : resultValue(result);
      if (result.isError !== true || structured(result) || flags.raw) {
        this.show({ value, text: () => printable(flags.raw ? JSON.stringify(result, null, 2) : shownResult(result)) });
      }
      if (result.isError === true) throw failureOf(result);
    } finally {
      await client.close();
    }
  }
}
