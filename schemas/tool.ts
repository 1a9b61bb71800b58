/** A tool as its owner declares it (specification: Tool lifecycle and skill records). */
import { type Static, Type } from 'typebox';

const hint = (description: string) => Type.Optional(Type.Boolean({ description }));

const hints = {
  read_only_hint: hint('changes nothing'),
  destructive_hint: hint('may destroy or overwrite'),
  idempotent_hint: hint('a repeated call changes nothing more'),
  open_world_hint: hint('reaches outside the host'),
  deferred_hint: hint('listed before it can be called'),
};
const title = Type.Optional(Type.String({ description: 'title shown to people' }));

export const ToolAnnotationsSchema = Type.Object(
  { title, ...hints },
  { description: 'behaviour hints', additionalProperties: false },
);

const asInMcp = (name: string) => hint(`as ${name}, in MCP's spelling`);
const GivenAnnotationsSchema = Type.Object(
  {
    title,
    ...hints,
    readOnlyHint: asInMcp('read_only_hint'),
    destructiveHint: asInMcp('destructive_hint'),
    idempotentHint: asInMcp('idempotent_hint'),
    openWorldHint: asInMcp('open_world_hint'),
    deferredHint: asInMcp('deferred_hint'),
  },
  { description: 'behaviour hints, in either spelling', additionalProperties: false },
);

/** Hints in our spelling; where both are given ours counts. */
export function ownAnnotations(given: Static<typeof GivenAnnotationsSchema>): ToolAnnotations {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint, deferredHint, ...own } = given;
  return {
    ...(readOnlyHint !== undefined && { read_only_hint: readOnlyHint }),
    ...(destructiveHint !== undefined && { destructive_hint: destructiveHint }),
    ...(idempotentHint !== undefined && { idempotent_hint: idempotentHint }),
    ...(openWorldHint !== undefined && { open_world_hint: openWorldHint }),
    ...(deferredHint !== undefined && { deferred_hint: deferredHint }),
    ...own,
  };
}

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
    annotations: Type.Optional(GivenAnnotationsSchema),
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
