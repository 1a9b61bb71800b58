/** A tool as its owner declares it (specification: Tool lifecycle and skill records). */
import { type Static, Type } from 'typebox';

const hint = (description: string) => Type.Optional(Type.Boolean({ description }));

export const ToolAnnotationsSchema = Type.Object(
  {
    title: Type.Optional(Type.String({ description: 'title shown to people' })),
    read_only_hint: hint('changes nothing'),
    destructive_hint: hint('may destroy or overwrite'),
    idempotent_hint: hint('a repeated call changes nothing more'),
    open_world_hint: hint('reaches outside the host'),
    deferred_hint: hint('listed before it can be called'),
  },
  { description: 'behaviour hints', additionalProperties: false },
);

export const ToolDefinitionSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'action name: letters, digits, `_` and `-`' }),
    title: Type.Optional(Type.String({ description: 'title shown to people' })),
    description: Type.Optional(Type.String({ default: '', description: 'what the tool does' })),
    category: Type.Optional(Type.String({ default: '', description: 'free category' })),
    tags: Type.Optional(Type.Array(Type.String(), { default: [], description: 'search tags' })),
    dcc: Type.Optional(Type.String({ default: '', description: 'host type the tool is for' })),
    version: Type.Optional(Type.String({ default: '', description: 'version of the tool' })),
    input_schema: Type.Optional(
      Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())], {
        description: 'JSON Schema of the arguments, as an object or as JSON text',
      }),
    ),
    output_schema: Type.Optional(
      Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())], {
        description: 'JSON Schema of structured results, as an object or as JSON text',
      }),
    ),
    annotations: Type.Optional(ToolAnnotationsSchema),
    icons: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'MCP icons' })),
    group: Type.Optional(Type.String({ default: '', description: 'tool group; empty means always active' })),
    execution: Type.Optional(
      Type.Union([Type.Literal('sync'), Type.Literal('async')], { description: '`async` runs as a background job' }),
    ),
    affinity: Type.Optional(
      Type.Union([Type.Literal('any'), Type.Literal('main')], { default: 'any', description: 'thread it must run on' }),
    ),
    enforce_thread_affinity: Type.Optional(
      Type.Boolean({ default: false, description: 'refuse the call when the affinity cannot be kept' }),
    ),
    timeout_hint_secs: Type.Optional(Type.Number({ minimum: 0, description: 'budget hint; changes no mode' })),
    metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'adapter-defined' })),
  },
  { $id: 'svc:tool-definition', description: 'Tool definition', additionalProperties: false },
);

export type ToolAnnotations = Static<typeof ToolAnnotationsSchema>;
export type ToolDefinition = Static<typeof ToolDefinitionSchema>;
