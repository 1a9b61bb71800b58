/** What of a record is searched, with the weight of each field (BM25F). Pure. */
import type { CapabilityRecord } from './api.ts';

/** Bits of the fields in postings. */
export const fieldBits = {
  name: 1,
  alias: 2,
  tag: 4,
  skill: 8,
  dcc: 16,
  summary: 32,
  description: 64,
  property: 128,
  propertyText: 256,
} as const;

export type FieldName = keyof typeof fieldBits;

/** Weight of one occurrence, how many words are usual, and how much a longer text counts less. */
export const fieldWeights: Readonly<Record<FieldName, { weight: number; usual: number; slope: number }>> = {
  name: { weight: 6, usual: 3, slope: 0.5 },
  alias: { weight: 4.5, usual: 6, slope: 0.3 },
  tag: { weight: 2, usual: 4, slope: 0.3 },
  skill: { weight: 1.5, usual: 3, slope: 0.3 },
  dcc: { weight: 1.5, usual: 1, slope: 0 },
  summary: { weight: 2.4, usual: 10, slope: 0.6 },
  description: { weight: 0.9, usual: 30, slope: 0.6 },
  property: { weight: 1, usual: 6, slope: 0.5 },
  propertyText: { weight: 0.5, usual: 30, slope: 0.6 },
};

export interface FieldText {
  readonly field: FieldName;
  readonly texts: readonly string[];
}

/** Texts of a record by field; schemas are walked within bounds. */
export function fieldsOf(record: CapabilityRecord): FieldText[] {
  const { names, texts } = schemaTexts(record.input_schema);
  const rest = record.description.startsWith(record.summary)
    ? record.description.slice(record.summary.length)
    : record.description;
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

function walk(schema: unknown, depth: number, found: SchemaTexts): void {
  if (typeof schema !== 'object' || schema === null || depth > most.depth) return;
  const {
    properties,
    items,
    anyOf,
    oneOf,
    allOf,
    additionalProperties,
    description,
    title,
    enum: values,
  } = schema as Record<string, unknown>;
  for (const text of [title, description]) if (depth > 0 && typeof text === 'string') found.texts.push(text);
  if (Array.isArray(values)) {
    for (const value of values.slice(0, most.enumValues)) if (typeof value === 'string') found.texts.push(value);
  }
  if (typeof properties === 'object' && properties !== null) {
    for (const [name, each] of Object.entries(properties)) {
      if (found.names.length >= most.properties) return;
      found.names.push(name);
      walk(each, depth + 1, found);
    }
  }
  for (const each of [items, additionalProperties]) walk(each, depth + 1, found);
  for (const list of [anyOf, oneOf, allOf]) {
    if (Array.isArray(list)) for (const each of list) walk(each, depth + 1, found);
  }
}
