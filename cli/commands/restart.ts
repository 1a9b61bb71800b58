/** `svc-server restart`: begins servers and the gateway of this user anew, as after an upgrade of the package. */
import * as Flags from '@oclif/core/flags';
import { SvcCommand } from '../base.ts';
import { assertNoneFailed, endedText, inOrder, restartProgram } from '../ending.ts';
import { findRunning } from '../running.ts';
import { selected, selectionArgs } from '../selection.ts';

export class Restart extends SvcCommand {
  static override summary = 'Restart servers, the gateway, relays and tunnels';
  static override description =
    'Each ends after the calls that it works on and begins anew, in the background, with the arguments, the working directory and the environment that it had, and with the code that is installed now. The gateway goes on without a lost call: its connections pass to the new process. What a service manager or an application runs is left to that.';
  static override examples = ['<%= config.bin %> restart', '<%= config.bin %> restart maya'];
  static override strict = false;
  static override args = selectionArgs;
  static override flags = {
    timeout: Flags.integer({ description: 'seconds that each may take', default: 30, min: 0 }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Restart);
    const running = selected(await findRunning(), argv as string[]);
    const ended = await inOrder(running, each => restartProgram(each, flags.timeout * 1000));
    if (flags.json) this.print(JSON.stringify({ total: ended.length, ended }));
    else this.print(ended.map(endedText).join('\n') || 'Nothing runs.');
    assertNoneFailed(ended);
  }
}
