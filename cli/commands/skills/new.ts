/** `svc-server skills new`: a skill package to start from. */
import { join } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { SvcCommand } from '../../base.ts';

export class SkillsNew extends SvcCommand {
  static override summary = 'Make a new skill';
  static override description = 'Writes a package that loads as it is; an existing directory is never overwritten.';
  static override examples = ['<%= config.bin %> skills new rename-nodes --template typescript'];
  static override args = {
    name: Args.string({ description: 'name of the skill: lower-case letters, digits and hyphens', required: true }),
  };
  static override flags = {
    dir: Flags.string({ description: 'directory to make it in', default: '.' }),
    template: Flags.string({
      description: 'kind of the first tool',
      options: ['typescript', 'python', 'shell'],
      default: 'typescript',
    }),
    description: Flags.string({ description: 'what the skill does, in one sentence' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SkillsNew);
    const { scaffoldSkill } = await import('../../../plugins/skills/api.ts');
    const { directory, files } = await scaffoldSkill({
      name: args.name,
      directory: flags.dir,
      template: flags.template,
      ...(flags.description === undefined ? {} : { description: flags.description }),
    });
    if (flags.json) return this.print(JSON.stringify({ directory, files }));
    this.print(`made ${directory}\n${files.map(each => `  ${each}`).join('\n')}`);
    const path = join(flags.dir, args.name);
    this.print(`\nserve it and see what every save does:  svc-server skills dev ${path}`);
    this.print(`call it in another terminal:            svc-server call measure_text --arg text="one two"`);
  }
}
