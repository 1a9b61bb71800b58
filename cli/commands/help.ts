/** `svc-server help`: what the program does, or one command of it. */
import * as Args from '@oclif/core/args';
import { loadHelpClass } from '@oclif/core/help';
import { SvcCommand } from '../base.ts';
import { assertKnown } from '../known-command.ts';

export class Help extends SvcCommand {
  static override summary = 'Show the commands, or the flags of one';
  static override description = 'The same as --help.';
  static override examples = ['<%= config.bin %> help', '<%= config.bin %> help completion'];
  static override strict = false;
  static override args = { command: Args.string({ description: 'command to explain', required: false }) };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Help);
    const words = argv as string[];
    if (words.length > 0) assertKnown(words, this.config);
    if (flags.json) {
      const named = (id: string): string => id.replaceAll(':', ' ');
      const commands = this.config.commands.filter(each => !each.hidden && named(each.id).startsWith(words.join(' ')));
      return this.print(JSON.stringify(commands.map(({ id, summary }) => ({ command: named(id), summary }))));
    }
    const Shown = await loadHelpClass(this.config);
    await new Shown(this.config).showHelp([words.join(':')].filter(Boolean));
  }
}
