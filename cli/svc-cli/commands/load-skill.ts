/** `svc-cli load-skill`: makes the tools of a skill callable. */
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { GatewayCommand } from '../base.ts';

interface Loaded {
  instance_id: string;
  instance_short?: string;
  dcc_type: string;
  new_tool_slugs?: string[];
}

export class LoadSkill extends GatewayCommand {
  static override summary = 'Load a skill, so that its tools can be called';
  static override description =
    'On the instance that has it; where several have it, --instance or --dcc-type says which. A skill that is loaded already stays so.';
  static override examples = [
    '<%= config.bin %> load-skill render-kit',
    '<%= config.bin %> load-skill render-kit --dcc-type maya --group advanced',
  ];
  static override args = { skill: Args.string({ description: 'name of the skill', required: true }) };
  static override flags = {
    instance: Flags.string({ description: 'the instance that loads it', helpValue: '<id>' }),
    'dcc-type': Flags.string({ description: 'host type of that instance', aliases: ['dcc'], helpValue: '<name>' }),
    group: Flags.string({ description: 'a group of its tools to activate too', helpValue: '<name>' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LoadSkill);
    const gateway = await this.gateway(flags.gateway);
    const body = {
      skill_name: args.skill,
      ...(flags.instance !== undefined && { instance_id: flags.instance }),
      ...(flags['dcc-type'] !== undefined && { dcc_type: flags['dcc-type'] }),
      ...(flags.group !== undefined && { tool_group: flags.group }),
    };
    const loaded = await gateway.ask<Loaded>('POST', '/v1/load_skill', { body });
    this.show({ value: loaded, text: () => loadedText(args.skill, loaded) });
  }
}

function loadedText(skill: string, { dcc_type, instance_id, new_tool_slugs: slugs = [] }: Loaded): string {
  const what = slugs.length > 0 ? 'These tools can be called now:' : 'It was loaded before.';
  return [
    `${skill} is loaded on ${dcc_type}, instance ${instance_id}. ${what}`,
    ...slugs.map(each => `  ${each}`),
  ].join('\n');
}
