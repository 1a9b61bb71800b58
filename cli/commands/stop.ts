/** `svc-server stop`: ends servers and the gateway of this user. */
import * as Flags from '@oclif/core/flags';
import { SvcCommand } from '../base.ts';
import { assertNoneFailed, endedText, inOrder, lateGateways, stopProgram } from '../ending.ts';
import { findRunning } from '../running.ts';
import { selected, selectionArgs } from '../selection.ts';

export class Stop extends SvcCommand {
  static override summary = 'Stop servers, the gateway, relays and tunnels';
  static override description =
    'Without a name, everything of this user that runs as a program: servers first, each after the calls that it works on, then the gateway, at last tunnels and relays. A server inside an application is left to it.';
  static override examples = [
    '<%= config.bin %> stop',
    '<%= config.bin %> stop maya',
    '<%= config.bin %> stop 8765 --force',
  ];
  static override strict = false;
  static override args = selectionArgs;
  static override flags = {
    force: Flags.boolean({ description: 'end by force what does not stop in time' }),
    timeout: Flags.integer({ description: 'seconds that each may take', default: 15, min: 0 }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Stop);
    const stop = (each: Parameters<typeof stopProgram>[0]) => stopProgram(each, flags.timeout * 1000, flags.force);
    const running = await findRunning();
    const ended = await inOrder(selected(running, argv as string[]), stop);
    if (argv.length === 0) ended.push(...(await inOrder(await lateGateways(running), stop)));
    if (flags.json) this.print(JSON.stringify({ total: ended.length, ended }));
    else this.print(ended.map(endedText).join('\n') || 'Nothing runs.');
    assertNoneFailed(ended);
  }
}
