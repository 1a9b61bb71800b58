/** The rules for what a built-in tool says of itself (specification: Built-in tools, Limits). */
import type { JsonSchema } from '../kernel/index.ts';

const maxDescription = 500;
const maxParameterDescription = 100;

const threeLayers = /^\S[^\n]*?\. When to use: \S[^\n]*\. How to use: \S[^\n]*\.$/;

/** Throws unless the description has its three layers and every parameter a short description of its own. */
export function assertDescriptions(tool: {
  readonly name: string;
  readonly description?: string | undefined;
  readonly input_schema?: JsonSchema | string | undefined;
}): void {
  const { name, description = '', input_schema: schema = {} } = tool;
  if (!threeLayers.test(description)) {
    throw new Error(`${name}: the description must read "<one sentence>. When to use: ... How to use: ..."`);
  }
  if (description.length > maxDescription) {
    throw new Error(`${name}: the description has ${description.length} of at most ${maxDescription} characters`);
  }
  const parsed = typeof schema === 'string' ? (JSON.parse(schema) as JsonSchema) : schema;
  for (const [path, text] of parameters(parsed, '')) {
    if (typeof text !== 'string' || text.trim() === '') {
      throw new Error(`${name}: the parameter ${path} needs a description`);
    }
    if (text.length > maxParameterDescription) {
      throw new Error(
        `${name}: the description of ${path} has ${text.length} of at most ${maxParameterDescription} characters`,
      );
    }
  }
}

function* parameters(schema: JsonSchema, path: string): Generator<[string, unknown]> {
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)) {
    yield [path + name, property.description];
    yield* parameters(property, `${path}${name}.`);
    if (property.items) yield* parameters(property.items as JsonSchema, `${path}${name}[].`);
  }
}
