/** The keys that each declaration of a package may have: those of its schema, and the other spellings that are read. */
import { PromptArgumentSchema, PromptDeclarationSchema, WorkflowReferenceSchema } from '../../../schemas/prompt.ts';
import {
  advisorySkillKeys,
  advisoryToolKeys,
  SkillFrontmatterSchema,
  SkillGroupSchema,
  SkillMetadataSchema,
  SkillToolSchema,
} from '../../../schemas/skill-manifest.ts';
import { hintNames } from '../packages/declarations.ts';

/** What a mapping may hold. */
export interface Shape {
  /** For people: "a tool". */
  what: string;
  keys: readonly string[];
  /** Of the mapping behind a key, or of each entry of the list behind it. */
  inside?: Readonly<Record<string, Shape>>;
  /** Its keys are names of the author's own; behind each is one of these. */
  every?: Shape;
  /** Its keys have one spelling, and others than these are anybody's. */
  open?: true;
}

const keysOf = ({ properties }: { properties: object }): string[] => Object.keys(properties);
const both = (names: readonly string[]): string[] => names.flatMap(each => [each, `${each}_hint`]);

const keywords = (
  '$id $schema $ref $defs $anchor $comment $vocabulary $dynamicRef $dynamicAnchor definitions type enum const title ' +
  'description default examples example deprecated readOnly writeOnly nullable discriminator properties ' +
  'patternProperties additionalProperties unevaluatedProperties propertyNames minProperties maxProperties required ' +
  'dependencies dependentRequired dependentSchemas items prefixItems additionalItems unevaluatedItems contains ' +
  'minContains maxContains minItems maxItems uniqueItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
  'minLength maxLength pattern format contentEncoding contentMediaType contentSchema allOf anyOf oneOf not if then else'
).split(' ');

const jsonSchema: Shape = {
  what: 'a JSON Schema',
  keys: keywords,
  open: true,
  get inside() {
    const named: Shape = { what: 'properties', keys: [], every: jsonSchema };
    const groups = 'properties patternProperties $defs definitions dependentSchemas'.split(' ');
    const schemas = 'items prefixItems additionalProperties contains allOf anyOf oneOf not if then else'.split(' ');
    return Object.fromEntries([...groups.map(each => [each, named]), ...schemas.map(each => [each, jsonSchema])]);
  },
};

const tool: Shape = {
  what: 'a tool',
  keys: [...keysOf(SkillToolSchema), ...both(hintNames), 'thread_affinity', ...advisoryToolKeys],
  inside: {
    input_schema: jsonSchema,
    output_schema: jsonSchema,
    annotations: { what: 'annotations', keys: [...both(hintNames), 'title'] },
    next_tools: { what: 'next-tools', keys: keysOf(SkillToolSchema.properties.next_tools) },
  },
};

const group: Shape = { what: 'a group', keys: keysOf(SkillGroupSchema) };

export const toolsFile: Shape = { what: 'the file', keys: ['tools', 'groups'], inside: { tools: tool, groups: group } };
export const groupsFile: Shape = { what: 'the file', keys: ['groups'], inside: { groups: group } };

const prompt: Shape = {
  what: 'a prompt',
  keys: keysOf(PromptDeclarationSchema),
  inside: { arguments: { what: 'an argument', keys: [...keysOf(PromptArgumentSchema), 'enum'] } },
};

export const promptsFile: Shape = {
  what: 'a prompt',
  keys: ['prompts', 'workflows', ...prompt.keys],
  inside: {
    ...prompt.inside,
    prompts: prompt,
    workflows: { what: 'a workflow', keys: keysOf(WorkflowReferenceSchema) },
  },
};

const source = ['path', 'file', 'text', 'content'];
const resource: Shape = {
  what: 'a resource',
  keys: ['uri', 'name', 'title', 'description', 'mime_type', 'mime', 'source', ...source],
  inside: { source: { what: 'a source', keys: ['type', ...source] } },
};

export const resourcesFile: Shape = {
  what: 'a resource',
  keys: ['resources', ...resource.keys],
  inside: { ...resource.inside, resources: resource },
};

const runtime: Shape = {
  what: 'a runtime',
  keys: 'name type optional description guidance module binary env package extra install_hint feature_level'.split(' '),
};

/** The block under `metadata.svc`. */
const block: Shape = {
  what: 'metadata.svc',
  keys: [
    ...keysOf(SkillMetadataSchema),
    ...advisorySkillKeys,
    ...['tools', 'groups', 'workflows', 'examples', 'runtime_deps', 'optional_runtimes', 'external_deps'],
  ],
  inside: { tools: tool, groups: group, runtimes: runtime, resources: resource },
};

/** What else than the namespaces stands under `metadata` is its author's own. */
export const frontmatter: Shape = {
  what: 'SKILL.md',
  keys: keysOf(SkillFrontmatterSchema),
  inside: { metadata: { what: 'metadata', keys: [], inside: { svc: block } } },
};
