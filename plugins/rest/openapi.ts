/** GET /v1/openapi.json: the routes of this process that say what they are, by their own schemas. */
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { buildApp, packageVersion } from '../../kernel/index.ts';
import type { ServerConfig } from '../../schemas/server-config.ts';

/** Gathers the routes that are added from now on. */
export function gatherRoutes(app: FastifyInstance): RouteOptions[] {
  const gathered: RouteOptions[] = [];
  app.addHook('onRoute', route => {
    if (route.schema?.operationId !== undefined && route.method !== 'HEAD') gathered.push(route);
  });
  return gathered;
}

/**
 * The OpenAPI 3.1 document of `gathered`. Whatever makes it is loaded now and dropped again: few clients ask, and a
 * server that starts has no time for it.
 */
export async function describeRoutes(
  title: string,
  gathered: readonly RouteOptions[],
  config: ServerConfig,
): Promise<string> {
  const { default: swagger } = await import('@fastify/swagger');
  const app = buildApp({ ...config, log_level: 'silent', log_file: null }, []);
  const description = 'Tools as HTTP: search, describe, load_skill, call.';
  const license = { name: 'MIT', identifier: 'MIT' };
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version: packageVersion, description, license },
      servers: [{ url: '/' }],
    },
  });
  for (const { method, url, schema } of gathered) {
    // As JSON carries it: without what the schema library keeps for itself.
    const plain = JSON.parse(JSON.stringify(schema)) as FastifySchema;
    app.route({ method, url, schema: plain, exposeHeadRoute: false, handler: () => undefined });
  }
  await app.ready();
  const text = JSON.stringify(app.swagger());
  await app.close();
  return text;
}

/** Schema of the path's parameters. */
export const pathOf = (described: Readonly<Record<string, string>>): object => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(described).map(([name, what]) => [
      name,
      { type: 'string', description: `${what}, percent-encoded.` },
    ]),
  ),
  required: Object.keys(described),
});

/** Schemas of the answers of a route: JSON, and TOON as well where failures are negotiated with them. */
export function answered(answer: object, failure?: object): Record<string, unknown> {
  const content = (schema: object) => ({
    'application/json': { schema },
    ...(failure && { 'application/toon': { schema: { type: 'string' } } }),
  });
  return {
    200: { description: 'The answer', content: content(answer) },
    ...(failure && { default: { description: 'A failure', content: content(failure) } }),
  };
}
