/** How capability records are searched: what identifies them, their fields and what each weighs. Pure. */
import type { SearchShape } from '../../search/api.ts';
import type { CapabilityRecord } from './api.ts';
import { type FieldName, fieldsOf, rawTextsOf } from './record-fields.ts';

/** A tool that must be loaded first stands behind its equals. */
const unloaded = 0.985;

export const recordShape: SearchShape<CapabilityRecord, FieldName> = {
  fields: {
    name: { weight: 6, usual: 3, slope: 0.5, joined: true, reason: 'tool' },
    alias: { weight: 4.5, usual: 6, slope: 0.3, joined: true, reason: 'alias' },
    tag: { weight: 2, usual: 4, slope: 0.3, joined: true, reason: 'tag' },
    skill: { weight: 1.5, usual: 3, slope: 0.3, reason: 'skill' },
    dcc: { weight: 1.5, usual: 1, slope: 0, joined: true, reason: 'dcc' },
    summary: { weight: 2.4, usual: 10, slope: 0.6, reason: 'summary' },
    description: { weight: 0.9, usual: 30, slope: 0.6, reason: 'summary' },
    property: { weight: 1, usual: 6, slope: 0.5, reason: 'schema' },
    propertyText: { weight: 0.5, usual: 30, slope: 0.6, reason: 'schema' },
  },
  textsOf: fieldsOf,
  rawTextsOf,
  // Instances may share the first digits of their ids, and so a slug.
  keyOf: ({ instance_id, tool_slug }) => `${instance_id} ${tool_slug}`,
  nameOf: each => each.backend_tool,
  namesOf: each => [each.callable_id, each.tool_slug],
  orderOf: each => each.tool_slug,
  hostOf: each => each.dcc_type,
  skillOf: each => each.skill_name,
  tagsOf: each => each.tags,
  factorOf: each => (each.loaded ? 1 : unloaded),
};
