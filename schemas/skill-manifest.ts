/**
 * A skill package's manifest after its keys are brought to snake_case: `SKILL.md`'s frontmatter, the `metadata.svc`
 * block and the declarations of `tools.yaml` and `groups.yaml`. Unknown keys are kept, so existing packages load.
 */
import { type Static, Type } from 'typebox';

const text = (description: string, defaultValue = '') => Type.String({ default: defaultValue, description });
const optional = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string, defaultValue = false) => Type.Boolean({ default: defaultValue, description });
const texts = (description: string) => Type.Array(Type.String(), { default: [], maxItems: 1000, description });
const loose = (description: string) => Type.Record(Type.String(), Type.Unknown(), { default: {}, description });

/** The top level of the frontmatter: the Agent Skills keys and nothing else. */
export const SkillFrontmatterSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'name of the skill' }),
    description: Type.String({ minLength: 1, description: 'what the skill is for and when to use it' }),
    license: optional('licence of the package'),
    compatibility: optional('what the skill needs to run'),
    metadata: loose('further keys; ours live under `svc`'),
    allowed_tools: texts('tools the skill expects to be allowed'),
  },
  { $id: 'svc:skill-frontmatter', description: 'Frontmatter of SKILL.md' },
);

/** The `metadata.svc` block (alias `metadata.dcc-mcp`). */
export const SkillMetadataSchema = Type.Object(
  {
    dcc: text('host type the skill is for', 'python'),
    version: text('version of the skill', '1.0.0'),
    tags: texts('search tags'),
    search_hint: text('words a searcher would type; empty means the description'),
    search_aliases: texts('other names to be found by'),
    depends: texts('skills that are loaded first'),
    provides: texts('other names by which skills may depend on it'),
    scripts: flag('without declared tools each file of scripts/ is one', true),
    isolation: Type.Optional(
      Type.Union([Type.Literal('worker'), Type.Literal('process')], {
        description: 'where module tools run: a thread of the server, or a child process (default: `skill_isolation`)',
      }),
    ),
    python: optional('Python of its scripts: versions (`>=3.10`), or the name of an interpreter'),
    requirements: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], {
        description:
          'Python packages that its scripts need: a list, or the requirements file (default `requirements.txt`)',
      }),
    ),
    prompts: optional('file or glob of prompt declarations'),
    resources: Type.Optional(Type.Unknown({ description: 'file, folder, glob or list of resources' })),
    recipes: optional('file of recipes'),
    runtimes: Type.Optional(Type.Unknown({ description: 'runtime requirements: a list, or the file that holds it' })),
    layer: optional('layer of the skill'),
    stage: optional('stage of the skill'),
    intent: optional('intent of the skill'),
    products: texts('products the skill applies to'),
    allow_implicit_invocation: flag('a client may call the tools without being asked to', true),
    links: Type.Record(Type.String(), Type.String(), {
      default: {},
      description: 'docs, repo, homepage, issues, chat',
    }),
    example_prompts: texts('prompts that the skill answers'),
  },
  { $id: 'svc:skill-metadata', description: 'Keys under metadata.svc', additionalProperties: true },
);

/** Keys that packages have there and that change nothing: some are shown, the others are for other programs. */
export const advisorySkillKeys = [
  ...['branding', 'recall_context', 'preconditions', 'side_effects', 'produces', 'requires', 'success_metrics'],
  ...['compatibility', 'skill_reference_docs'],
];
export const advisoryToolKeys = [
  ...['required_capabilities', 'search_aliases', 'intent', 'tool_role', 'risk', 'side_effects', 'produces', 'requires'],
  ...['call_examples', 'metadata'],
];

const hint = (description: string) => Type.Optional(Type.Boolean({ description }));
const schema = (description: string) => Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description }));

/** One entry of the `tools:` list. */
export const SkillToolSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'action name, unique in the skill' }),
    title: optional('title shown to people'),
    description: text('what the tool does'),
    input_schema: schema('JSON Schema of the arguments'),
    output_schema: schema('JSON Schema of structured results'),
    icons: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'MCP icons: src, mimeType, sizes' }),
    ),
    annotations: Type.Object(
      {
        title: optional('title shown to people'),
        read_only_hint: hint('changes nothing'),
        destructive_hint: hint('may destroy or overwrite'),
        idempotent_hint: hint('a repeated call changes nothing more'),
        open_world_hint: hint('reaches outside the host'),
        deferred_hint: hint('listed before it can be called'),
      },
      { default: {}, description: 'behaviour hints' },
    ),
    category: text('free category'),
    tags: texts('search tags beside those of the skill'),
    source_file: text('file of the code, relative to the package'),
    group: text('tool group'),
    execution: Type.Optional(
      Type.Union([Type.Literal('sync'), Type.Literal('async')], { description: '`async` runs as a background job' }),
    ),
    timeout_hint_secs: Type.Optional(Type.Number({ minimum: 0, description: 'budget hint; changes no mode' })),
    job_strategy: Type.Union([Type.Literal('monolithic'), Type.Literal('chunked'), Type.Literal('isolated')], {
      default: 'monolithic',
      description: 'how a job of the tool is cut',
    }),
    affinity: Type.Union([Type.Literal('any'), Type.Literal('main')], {
      default: 'any',
      description: 'thread it must run on',
    }),
    enforce_thread_affinity: flag('refuse the call when the affinity cannot be kept'),
    defer_loading: flag('list the tool without its schema until it is asked for'),
    requires_in_process: flag('the code must run in the host process'),
    next_tools: Type.Object(
      { on_success: texts('tools to call after a success'), on_failure: texts('tools to call after a failure') },
      { default: {}, description: 'what to call next' },
    ),
  },
  { $id: 'svc:skill-tool', description: 'Tool declaration', additionalProperties: true },
);

/** One entry of the `groups:` list. */
export const SkillGroupSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'name of the group' }),
    description: text('what the group is for'),
    tools: texts('names of the member tools'),
    default_active: flag('the group starts active'),
  },
  { $id: 'svc:skill-group', description: 'Tool group', additionalProperties: true },
);

export type SkillFrontmatter = Static<typeof SkillFrontmatterSchema>;
export type SkillMetadata = Static<typeof SkillMetadataSchema>;
export type SkillToolDeclaration = Static<typeof SkillToolSchema>;
export type SkillGroupDeclaration = Static<typeof SkillGroupSchema>;
