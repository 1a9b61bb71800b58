/** From what an owner declares to the record that the table keeps: validated, defaulted, frozen. */
import { isSvcError, type JsonSchema, type Schemas, summary } from '../../kernel/index.ts';
import { messageOf } from '../../schemas/thrown.ts';
import { ownAnnotations, type ToolDefinition, ToolDefinitionSchema } from '../../schemas/tool.ts';
import type { PublishOptions, SchemaField, ToolEntry, ToolRecord, ToolSource } from './api.ts';
import { toolErrors } from './errors.ts';

export const namePattern = /^[A-Za-z0-9_-]{1,64}$/;
/** Names of stubs: no tool may look like one. */
export const stubPrefix = /^__(skill|group)__/;

const draft7 = 'http://json-schema.org/draft-07/schema';
const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

/** What the meta-schema lets pass and a compilation may not: references, patterns, `id`, an empty `enum`. */
const deceptive =
  /"\$(?:ref|dynamicRef|recursiveRef|id|anchor|dynamicAnchor)"|"pattern(?:Properties)?"|"id":"|"enum":\[\]/;

/** Characters and levels of one schema: every client is sent all of it, and a compiler follows all of it. */
const mostSchema = 256 * 1024;
const mostDepth = 128;

/** How deep a value is nested, counted up to `limit`. */
function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null || limit === 0) return 0;
  let deepest = 0;
  for (const each of Object.values(value)) deepest = Math.max(deepest, depthOf(each, limit - 1));
  return deepest + 1;
}

/** Whether a schema accepts every object, so that no validator is needed. */
export function acceptsAnything(schema: JsonSchema): boolean {
  return Object.entries(schema).every(
    ([key, value]) =>
      ['type', '$schema', 'title', 'description'].includes(key) ||
      (key === 'properties' && typeof value === 'object' && value !== null && Object.keys(value).length === 0),
  );
}

/** Builds records from entries; throws SVC_TOOLS_* naming the tool. The result still carries the bare action as name. */
export function createDefinitions(schemas: Schemas) {
  const validate = schemas.compile(ToolDefinitionSchema as unknown as JsonSchema, 'own');

  /** Throws when ajv would refuse to compile the schema. */
  const check = (tool: string, field: string, schema: JsonSchema): void => {
    const refuse = (reason: string, cause?: unknown) => toolErrors.SCHEMA_INVALID({ tool, field, reason }, cause);
    if (schema.type !== 'object') throw refuse(`its "type" must be "object", not ${JSON.stringify(schema.type)}`);
    if ('$async' in schema) throw refuse('"$async" is not supported');
    const size = JSON.stringify(schema).length;
    if (size > mostSchema) throw refuse(`it has ${size} characters, at most ${mostSchema} are served`);
    if (depthOf(schema, mostDepth) >= mostDepth) throw refuse(`it is nested deeper than ${mostDepth} levels`);
    if (acceptsAnything(schema)) return;
    const dialect = typeof schema.$schema === 'string' ? schema.$schema.replace(/#?$/, '') : draft2020;
    if (dialect !== draft2020 && dialect !== draft7) {
      throw refuse(`its dialect ${dialect} is not supported: use ${draft2020} or ${draft7}`);
    }
    try {
      // A hundredth of a compilation, which then waits for the first call.
      const problems = schemas.check(schema);
      if (problems) throw refuse(summary(problems));
      if (deceptive.test(JSON.stringify(schema))) {
        schemas.compile(schema);
        schemas.release(schema);
      }
    } catch (error) {
      if ((error as { code?: string }).code === 'SVC_TOOLS_SCHEMA_INVALID') throw error;
      throw refuse(messageOf(error), error);
    }
  };

  const parsed = (tool: string, field: string, given: string | JsonSchema, source: ToolSource): JsonSchema => {
    let schema: unknown = given;
    if (typeof given === 'string') {
      try {
        schema = JSON.parse(given);
      } catch (error) {
        throw toolErrors.SCHEMA_INVALID({ tool, field, reason: `it is not JSON (${(error as Error).message})` }, error);
      }
    }
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      throw toolErrors.SCHEMA_INVALID({ tool, field, reason: 'it must be a JSON object' });
    }
    const whole = 'type' in schema ? (schema as JsonSchema) : { type: 'object', ...schema };
    // Our own tools are checked by the tests; checking them at every start would delay it by the meta-schema.
    if (source === 'host' || source === 'skill') check(tool, field, whole);
    return whole;
  };

  const record = (
    owner: string,
    { definition, handler }: ToolEntry,
    { source, skill_name }: PublishOptions,
  ): ToolRecord => {
    const tool = String((definition as Partial<ToolDefinition> | null)?.name ?? '');
    const problems = validate(definition);
    if (problems) throw toolErrors.DEFINITION_INVALID({ tool, reason: summary(problems), problems });
    if (source !== 'internal') assertName(definition.name);
    const { input_schema = '{"type":"object"}', output_schema } = definition;
    return Object.freeze({
      action: definition.name,
      name: definition.name,
      source,
      owner,
      skill_name,
      title: definition.title,
      description: definition.description ?? '',
      category: definition.category ?? '',
      tags: definition.tags ?? [],
      dcc: definition.dcc ?? '',
      version: definition.version ?? '',
      input_schema: parsed(tool, 'input_schema', input_schema, source),
      output_schema: output_schema === undefined ? undefined : parsed(tool, 'output_schema', output_schema, source),
      annotations: ownAnnotations(definition.annotations ?? {}),
      icons: definition.icons,
      group: definition.group ?? '',
      execution: definition.execution,
      affinity: definition.affinity ?? 'any',
      enforce_thread_affinity: definition.enforce_thread_affinity ?? false,
      timeout_hint_secs: definition.timeout_hint_secs,
      metadata: definition.metadata ?? {},
      handler,
    });
  };

  return {
    record(owner: string, entry: ToolEntry, options: PublishOptions): ToolRecord {
      for (let given = entry; ; ) {
        try {
          return record(owner, given, options);
        } catch (error) {
          const field = options.repair && refusedSchema(error, given);
          if (!field) throw error;
          given = options.repair?.(given, field, error as Error) ?? given;
        }
      }
    },
  };
}

/** Which schema of `entry` an error is about; nothing when it is about something else. */
function refusedSchema(error: unknown, { definition }: ToolEntry): SchemaField | undefined {
  if (!isSvcError(error) || error.code !== 'SVC_TOOLS_SCHEMA_INVALID') return undefined;
  return (['input_schema', 'output_schema'] as const).find(
    field => error.details.field === field && definition[field] !== undefined,
  );
}

function assertName(tool: string): void {
  if (tool.length > 64) throw toolErrors.NAME_TOO_LONG({ tool, length: tool.length, or_skill: '' });
  if (!namePattern.test(tool)) {
    throw toolErrors.NAME_INVALID({ tool, reason: 'a tool name must be safe for every client' });
  }
  if (stubPrefix.test(tool)) {
    throw toolErrors.NAME_INVALID({ tool, reason: 'names that start with __skill__ or __group__ are reserved' });
  }
}
