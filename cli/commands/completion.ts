/** `svc-server completion`: what a shell needs to complete commands and flags. */
import * as Args from '@oclif/core/args';
import { SvcCommand } from '../base.ts';
import { completionScript, type Shell, shells } from '../completion.ts';

export class Completion extends SvcCommand {
  static override summary = 'Print the completion script of a shell';
  static override description =
    'For bash: eval "$(<%= config.bin %> completion bash)" in ~/.bashrc. For zsh: the same in ~/.zshrc, after compinit. For fish: <%= config.bin %> completion fish > ~/.config/fish/completions/<%= config.bin %>.fish';
  static override examples = shells.map(each => `<%= config.bin %> completion ${each}`);
  static override args = {
    shell: Args.string({ description: shells.join(', '), options: [...shells], required: true }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Completion);
    const script = completionScript(args.shell as Shell, this.config);
    this.print(flags.json ? JSON.stringify({ shell: args.shell, script }) : script.trimEnd());
  }
}
