/** The texts of a record that are searched, by field. Pure. */
import type { FieldText } from '../../search/api.ts';
import type { CapabilityRecord } from './api.ts';

export type FieldName =
  | 'name'
  | 'alias'
  | 'tag'
  | 'skill'
  | 'dcc'
  | 'summary'
  | 'description'
  | 'property'
  | 'propertyText';

type RecordText = FieldText<FieldName>;

/** Texts of a record by field; schemas are walked within bounds. */
export function fieldsOf(record: CapabilityRecord): RecordText[] {
  const { names, texts } = schemaTexts(record.input_schema);
  const rest = startsWithSummary(record) ? restOf(record) : record.description;
  return [
    { field: 'name', texts: [record.backend_tool] },
    { field: 'alias', texts: record.aliases },
    { field: 'tag', texts: record.tags },
    { field: 'skill', texts: [record.skill_name ?? '', record.tool_group ?? '', record.search_hint ?? ''] },
    { field: 'dcc', texts: [record.dcc_type] },
    { field: 'summary', texts: [record.annotations?.title ?? '', record.summary] },
    { field: 'description', texts: [rest] },
    { field: 'property', texts: names },
    { field: 'propertyText', texts },
  ];
}

/** Every text as it stands, for what words cannot tell; the summary is not said twice. */
export function rawTextsOf(record: CapabilityRecord, fields: readonly RecordText[]): string[] {
  const summed = startsWithSummary(record);
  return fields.flatMap(({ field, texts }) => {
    if (field === 'description') return [record.description];
    return field === 'summary' && summed ? texts.filter(text => text !== record.summary) : texts;
  });
}

const startsWithSummary = ({ description, summary }: CapabilityRecord): boolean => description.startsWith(summary);

/** The description behind the summary; a word that the summary cuts is in it whole. */
function restOf({ description, summary }: CapabilityRecord): string {
  const cutsWord = /^[\p{L}\p{N}\p{M}]/u.test(description.slice(summary.length, summary.length + 2));
  const begun = cutsWord ? (/[\p{L}\p{N}\p{M}]*$/u.exec(summary)?.[0].length ?? 0) : 0;
  return description.slice(summary.length - begun);
}

const most = { properties: 400, depth: 6, enumValues: 100 };

interface SchemaTexts {
  names: string[];
  texts: string[];
}

function schemaTexts(schema: unknown): SchemaTexts {
  const found: SchemaTexts = { names: [], texts: [] };
  walk(schema, 0, found);
  return found;
}

/** Keywords whose values are schemas, lists of them, or schemas by a name that is no field. */
const inside = 'items additionalProperties not if then else anyOf oneOf allOf prefixItems'.split(' ');
const named = '$defs definitions patternProperties dependentSchemas'.split(' ');

function walk(schema: unknown, depth: number, found: SchemaTexts): void {
  if (typeof schema !== 'object' || schema === null || depth > most.depth) return;
  const keywords = schema as Record<string, unknown>;
  const { properties, description, title, enum: values, const: value } = keywords;
  for (const text of depth > 0 ? [title, description, value] : [value]) {
    if (typeof text === 'string') found.texts.push(text);
  }
  if (Array.isArray(values)) {
    for (const each of values.slice(0, most.enumValues)) if (typeof each === 'string') found.texts.push(each);
  }
  if (typeof properties === 'object' && properties !== null) {
    for (const [name, each] of Object.entries(properties)) {
      if (found.names.length >= most.properties) return;
      found.names.push(name);
      walk(each, depth + 1, found);
    }
  }
  for (const key of inside) {
    const held = keywords[key];
    if (Array.isArray(held)) for (const each of held) walk(each, depth + 1, found);
    else if (held !== undefined) walk(held, depth + 1, found);
  }
  for (const key of named) {
    const schemas = keywords[key];
    if (typeof schemas !== 'object' || schemas === null) continue;
    for (const each of Object.values(schemas)) walk(each, depth + 1, found);
  }
}
