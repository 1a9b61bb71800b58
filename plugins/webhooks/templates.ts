/** What a webhook sends, made of an event: placeholders as `{{attributes.tool_slug}}`, in messages also `$tool-slug`. */
import mustache from 'mustache';
import type { EventEnvelope } from '../../kernel/index.ts';
import { isObject, parsed } from '../../schemas/loose.ts';

export type Render = (event: EventEnvelope) => string;

/** A text as it is, anything else as JSON; what is missing is left out. */
const plainText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** The same within a text of JSON, whose quotes stand in the template. */
const jsonText = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : (JSON.stringify(value) ?? '');

/** The variables of messages that are not paths of the envelope, each the first of these that is there. */
const variables: Readonly<Record<string, readonly string[]>> = {
  event: ['name'],
  'event-name': ['name'],
  'event-id': ['id'],
  'dcc-type': ['source.dcc_type', 'attributes.dcc_type'],
  'instance-id': ['source.instance_id', 'attributes.instance_id'],
  tool: ['attributes.tool_slug'],
  'tool-slug': ['attributes.tool_slug'],
  skill: ['attributes.skill_name'],
  'skill-name': ['attributes.skill_name'],
  url: ['attributes.url', 'attributes.access_url', 'attributes.mcp_url', 'source.url', 'source.mcp_url'],
};

/** The value at a dotted path of an event; undefined where there is none. */
export function valueAt(event: EventEnvelope, path: string): unknown {
  let value: unknown = event;
  for (const name of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** `{{$name}}` for each `$name`: one pass then fills in both, so that what an event says is never a template itself. */
const withTags = (template: string): string => template.replaceAll(/\$([A-Za-z_]\w*(?:[.-]\w+)*)/g, '{{$$$1}}');

/** A compiled text; throws when the template is broken. */
function compiled(template: string, shown: (value: unknown) => string): Render {
  const tokens = mustache.parse(template).map(([kind, text]) => ({ kind, text }));
  const other = tokens.find(each => each.kind !== 'text' && each.kind !== 'name');
  if (other) throw new Error(`{{${other.kind}${other.text}}} is no placeholder: write {{path.of.field}}`);
  const filled = (event: EventEnvelope, name: string): string => {
    const value = name.startsWith('$') ? variable(event, name.slice(1)) : valueAt(event, name);
    return value === undefined || value === null ? '' : shown(value);
  };
  return event => tokens.map(({ kind, text }) => (kind === 'text' ? text : filled(event, text))).join('');
}

function variable(event: EventEnvelope, name: string): unknown {
  const known = name.replaceAll('_', '-');
  const paths = Object.hasOwn(variables, known) ? (variables[known] ?? []) : [name];
  return paths.map(each => valueAt(event, each)).find(each => each !== undefined && each !== null);
}

/** A message: `{{path}}` and `$variable`. */
export const messageTemplate = (template: string): Render => compiled(withTags(template), plainText);

/**
 * A body of JSON. An object of the file, or a text that is JSON itself: each text in it is a template. Another text is
 * a template of JSON as a whole, where placeholders may stand for numbers; what it becomes must be JSON.
 */
export function payloadTemplate(template: unknown): Render {
  const value = typeof template === 'string' ? (parsed(template) ?? template) : template;
  if (typeof value === 'string') {
    const render = compiled(value, jsonText);
    refuseNever(value);
    return event => JSON.stringify(JSON.parse(render(event)));
  }
  const make = filler(value);
  return event => JSON.stringify(make(event));
}

/** What is no JSON with a number in each placeholder is none with anything else. */
function refuseNever(template: string): void {
  try {
    JSON.parse(template.replaceAll(/\{\{[^{}]*\}\}/g, '1'));
  } catch (error) {
    throw new Error(`is no JSON, whatever stands in its placeholders: ${(error as Error).message}`);
  }
}

function filler(value: unknown): (event: EventEnvelope) => unknown {
  if (typeof value === 'string') return compiled(value, plainText);
  if (Array.isArray(value)) {
    const items = value.map(filler);
    return event => items.map(each => each(event));
  }
  if (!isObject(value)) return () => value;
  const members = Object.entries(value).map(([key, each]) => [key, filler(each)] as const);
  return event => Object.fromEntries(members.map(([key, each]) => [key, each(event)]));
}
