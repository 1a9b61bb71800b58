/** `svc-cli search`: tools of every server, by words. */
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { columns, terminalLooks } from '../../columns.ts';
import { GatewayCommand } from '../base.ts';

interface Hit {
  tool_slug: string;
  skill_name?: string | null;
  summary: string;
  load_state: string;
  callable: boolean;
}

interface Found {
  hits: Hit[];
  hint?: string;
}

export class Search extends GatewayCommand {
  static override summary = 'Search the tools of every server';
  static override description =
    'Ranked by words; without any, everything is listed. STATE says whether a tool can be called at once, or its skill has to be loaded first (svc-cli load-skill).';
  static override examples = [
    '<%= config.bin %> search',
    '<%= config.bin %> search render frames',
    '<%= config.bin %> search render --dcc-type maya --limit 5',
    '<%= config.bin %> search render --output ndjson',
  ];
  static override strict = false;
  static override args = { query: Args.string({ description: 'words to look for; several may be given' }) };
  static override flags = {
    'dcc-type': Flags.string({ description: 'only tools of this host type', aliases: ['dcc'], helpValue: '<name>' }),
    instance: Flags.string({ description: 'only tools of this instance', helpValue: '<id>' }),
    tag: Flags.string({
      description: 'only tools with this tag; again for more, all of which are asked for',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: '<tag>',
    }),
    loaded: Flags.boolean({ description: 'only tools of skills that are loaded' }),
    limit: Flags.integer({ description: 'most hits, at most 100', min: 1, max: 100, default: 25, helpValue: '<n>' }),
    offset: Flags.integer({ description: 'hits to pass over', min: 0, default: 0, helpValue: '<n>' }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Search);
    const gateway = await this.gateway(flags.gateway);
    const { limit, offset, loaded, tag, instance } = flags;
    const body = {
      query: (argv as string[]).join(' '),
      ...{ limit, offset, loaded_only: loaded },
      ...(flags['dcc-type'] !== undefined && { dcc_type: flags['dcc-type'] }),
      ...(instance !== undefined && { instance_id: instance }),
      ...(tag && { tags: tag }),
    };
    const found = await gateway.ask<Found>('POST', '/v1/search', { body });
    this.show({ value: found, rows: found.hits, text: () => foundText(found, body.query) });
    if (found.hint) this.remark(found.hint);
  }
}

function foundText({ hits }: Found, query: string): string {
  if (hits.length === 0) {
    return query === '' ? 'No server offers a tool.' : 'Nothing found: fewer or other words find more.';
  }
  const rows = hits.map(each => [
    each.tool_slug,
    each.callable ? 'ready' : each.load_state,
    each.skill_name ?? '',
    each.summary,
  ]);
  return columns([['TOOL', 'STATE', 'SKILL', 'SUMMARY'], ...rows], terminalLooks());
}
