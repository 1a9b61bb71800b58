/** `svc-server call`: one call of a tool of a server that runs. */
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { finish, PlainCommand, tellFailure } from '../base.ts';
import { readArguments } from '../call-arguments.ts';
import { givenArguments, headersOf } from '../call-input.ts';
import { failureOf, shownResult } from '../call-output.ts';
import { callTarget } from '../call-target.ts';
import { type CallTold, progressText, structured } from '../called-tool.ts';
import { cliErrors } from '../errors.ts';
import type { Fields } from '../mcp-client.ts';
import { onStopSignal } from '../signals.ts';

export class Call extends PlainCommand {
  static override summary = 'Call a tool';
  static override description =
    'Calls a tool of a server that runs, and waits for its result: that of the server or gateway of this user which has it, or of --url. The result goes to stdout; which server it is, progress and what the tool logs go to stderr. Exits with 1 when the tool fails, with 2 when it cannot be called so.';
  static override examples = [
    '<%= config.bin %> call measure_text --arg text="one two"',
    '<%= config.bin %> call rename_nodes --arg names=a --arg names=b --arg dry_run',
    `<%= config.bin %> call render --json '{"frames":[1,2]}'`,
    'cat arguments.json | <%= config.bin %> call render --json -',
    '<%= config.bin %> call maya.12ab34cd.render --url http://127.0.0.1:9765/mcp',
  ];
  static override args = {
    tool: Args.string({ description: 'name of the tool, or its tool_slug behind a gateway', required: true }),
  };
  static override flags = {
    arg: Flags.string({
      description: 'an argument, read as its schema says; again to add to a list, a.b for what is inside',
      helpValue: '<name>=<value>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    json: Flags.string({ description: 'all arguments as a JSON object; - reads them from stdin', helpValue: '<json>' }),
    url: Flags.string({ description: 'MCP endpoint to call, instead of what runs here', helpValue: '<url>' }),
    server: Flags.string({ description: 'name, port, process id or instance id of the server', helpValue: '<which>' }),
    header: Flags.string({
      description: 'a header to send; a token belongs into SVC_CALL_TOKEN, or in a file that SVC_CALL_TOKEN_FILE names',
      helpValue: '<name>: <value>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    timeout: Flags.integer({ description: 'seconds after which the call is taken back', min: 1, helpValue: '<s>' }),
    raw: Flags.boolean({ description: 'print the result as one line of JSON, as MCP has it' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Call);
    const { tool, client, label } = await callTarget(args.tool, {
      url: flags.url,
      which: flags.server,
      headers: headersOf(flags.header ?? []),
    });
    const stop = new AbortController();
    const ignore = onStopSignal(
      () => stop.abort(cliErrors.CALL_CANCELLED({ tool: args.tool })),
      () => void finish(5),
    );
    const seconds = flags.timeout ?? 0;
    const late = () => stop.abort(cliErrors.CALL_TIMEOUT({ tool: args.tool, timeout_secs: seconds }));
    const timer = seconds > 0 ? setTimeout(late, seconds * 1000) : undefined;
    try {
      const given = await givenArguments(flags.json, flags.arg, tool.inputSchema);
      process.stderr.write(`${tool.name} at ${label}\n`);
      const result = await tool.call(readArguments(flags.arg ?? [], tool.inputSchema, given), this.told(stop.signal));
      this.show(result, flags.raw);
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : error;
    } finally {
      clearTimeout(timer);
      ignore();
      await client.close();
    }
  }

  /** `--json` are arguments here: failures are told to people. */
  protected override async catch(error: Error): Promise<never> {
    return this.exit(tellFailure(error, this.argv.includes('--raw')));
  }

  private told(signal: AbortSignal): CallTold {
    return {
      signal,
      onProgress: progress => void process.stderr.write(`  ${progressText(progress)}\n`),
      onLog: (level, text) => void process.stderr.write(`  ${level}: ${text}\n`),
    };
  }

  private show(result: Fields, raw: boolean): void {
    const failed = result.isError === true;
    if (raw) this.print(JSON.stringify(result));
    else if (!failed || structured(result)) this.print(shownResult(result));
    if (failed && raw) this.exit(1);
    if (failed) throw failureOf(result);
  }
}
