/** `svc-cli describe`: one tool, what it takes and how it is called. */
import * as Args from '@oclif/core/args';
import { columns, printable, terminalLooks } from '../../columns.ts';
import type { Fields } from '../../mcp-client.ts';
import { GatewayCommand } from '../base.ts';

interface Described {
  record: { tool_slug: string; skill_name?: string | null; callable: boolean; load_state: string };
  tool: { description?: string; inputSchema?: Schema; annotations?: Fields };
}

interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
}

export class Describe extends GatewayCommand {
  static override summary = 'Show what a tool does and takes';
  static override description = 'Its arguments as a table, and how it is called; with --json the schema as it is.';
  static override examples = [
    '<%= config.bin %> describe maya.12ab34cd.render',
    '<%= config.bin %> describe maya.12ab34cd.render --json',
  ];
  static override args = { tool: Args.string({ description: 'tool_slug, as search shows it', required: true }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Describe);
    const gateway = await this.gateway(flags.gateway);
    const described = await gateway.ask<Described>('POST', '/v1/describe', { body: { tool_slug: args.tool } });
    this.show({ value: described, text: () => describedText(described) });
  }
}

function describedText({ record, tool: { description = '', inputSchema = {}, annotations = {} } }: Described): string {
  const { properties = {}, required = [] } = inputSchema;
  const rows = Object.entries(properties).map(([name, schema]) => [
    name,
    typeText(schema),
    required.includes(name) ? 'required' : defaultText(schema),
    schema.description ?? '',
  ]);
  const hints = Object.entries(annotations).flatMap(([name, value]) => (value === true ? [name] : []));
  const load = `svc-cli load-skill ${record.skill_name ?? ''}\n  `;
  const args = required.map(each => ` --arg ${each}=...`).join('');
  return [
    record.tool_slug,
    printable(description),
    ...(hints.length > 0 ? [`Hints: ${hints.join(', ')}`] : []),
    ...(rows.length > 0
      ? [columns([['ARGUMENT', 'TYPE', '', 'MEANING'], ...rows], terminalLooks())]
      : ['No arguments.']),
    `Call it:\n  ${record.load_state === 'loaded' ? '' : load}svc-cli call ${record.tool_slug}${args}`,
  ].join('\n\n');
}

const typeText = ({ type = 'any', enum: values }: Schema): string =>
  values ? values.map(each => JSON.stringify(each)).join('|') : [type].flat().join('|');

const defaultText = (schema: Schema): string =>
  schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`;
