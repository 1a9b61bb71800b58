/** `svc-server skills accept`: what says something else of its tools than was approved, and its acceptance. */
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { serverSettings } from '../../../plugins/index.ts';
import { registryDirectory } from '../../../plugins/instances/registry/api.ts';
import type { PendingApproval } from '../../../plugins/policy/approvals/api.ts';
import { revealed } from '../../../schemas/hidden-text.ts';
import { SvcCommand } from '../../base.ts';
import { commandConfig, configFlags } from '../../flags.ts';

const settings = await serverSettings();

export class SkillsAccept extends SvcCommand {
  static override summary = 'Accept what skills and servers say of their tools now';
  static override description =
    'Without a name, shows what describes its tools otherwise than when it was first seen or accepted, before and now: skills, and servers behind the gateway. With names, accepts that; servers that run notice within a second.';
  static override examples = ['<%= config.bin %> skills accept', '<%= config.bin %> skills accept rename-nodes'];
  static override strict = false;
  static override args = { name: Args.string({ description: 'name of a skill, or key of a server, as it is shown' }) };
  static override flags = {
    all: Flags.boolean({ description: 'accept everything that waits' }),
    config: Flags.string({ description: 'JSON or YAML file of options', helpValue: '<file>' }),
    ...configFlags(settings, ['registry_dir']),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(SkillsAccept);
    const config = await commandConfig(flags, process.env, settings);
    const { acceptPending, createApprovalStore, pendingIn } = await import('../../../plugins/policy/approvals/api.ts');
    const store = createApprovalStore(registryDirectory(config.registry_dir));
    const pending = await pendingIn(store, config.tool_approvals === 'strict');
    const names = flags.all ? pending.map(each => each.key) : (argv as string[]);
    const accepted: PendingApproval[] = [];
    for (const name of names) accepted.push(await acceptPending(store, { name }, new Date().toISOString()));
    if (flags.json) return this.print(JSON.stringify(names.length > 0 ? { accepted } : { pending }));
    if (names.length > 0) return this.print(accepted.map(each => `accepted ${each.kind} ${each.name}`).join('\n'));
    if (pending.length === 0) return this.print('Nothing waits to be accepted.');
    this.print(pending.map(pendingText).join('\n\n'));
    this.print('\nAccept what you have looked at:  svc-server skills accept <name>');
  }
}

function pendingText({ kind, key, name, since, quarantined, changes }: PendingApproval): string {
  const head = `${kind} ${name}${quarantined ? ', quarantined' : ''}, since ${since}\n  ${revealed(key)}`;
  const tools = changes.map(each => {
    const before = each.approved_description;
    const same = before === each.description && '    its schemas, title or annotations are others';
    const texts = [...lines('-', before ?? ''), ...lines('+', each.description)];
    return [`  ${each.change} ${each.tool}`, ...(same ? [same] : texts)].join('\n');
  });
  return [head, ...tools].join('\n');
}

const lines = (sign: string, text: string): string[] =>
  text.split('\n').flatMap(line => (line.trim() === '' ? [] : [`    ${sign} ${line}`]));
