/** One Fastify application from a configuration and an ordered plugin list: no feature of its own. */
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifySchemaCompiler,
  LogController,
} from 'fastify';
import { warmMetaSchemas } from '../schemas/meta-schema.ts';
import { summary } from '../schemas/problems.ts';
import { type Config, sliceOf } from './config.ts';
import { createHost, noHost } from './embed/host.ts';
import { isSvcError, toHttpError } from './errors.ts';
import { createKernel, type KernelParts } from './kernel.ts';
import type { Plugin } from './plugin.ts';
import type { JsonSchema } from './schema.ts';

export interface AppParts extends KernelParts {
  /** The sections of plugins of other packages: the others take their settings from the configuration. */
  sections?: ReadonlyMap<Plugin, object>;
}

/** Builds the application; the caller awaits `ready()` or `listen()` and later `close()`. */
export function buildApp(
  config: Config,
  plugins: readonly Plugin[],
  { sections = new Map(), ...parts }: AppParts = {},
): FastifyInstance {
  const slices = plugins.map(each => sliceOf(each, config, sections.get(each)));
  const kernel = createKernel(config, parts);
  // The schema of a route describes it; parameters are checked with the one ajv, compiled by the first request, since a
  // server that starts has no time for it. A body is read by whoever serves it, who also serves it past the router.
  const validator: FastifySchemaCompiler<unknown> =
    ({ schema, httpPart }) =>
    value => {
      const checked = httpPart === 'params' || httpPart === 'querystring';
      const problems = checked ? kernel.schemas.compile(schema as JsonSchema, 'own')(value) : undefined;
      return problems ? { error: Object.assign(new Error(summary(problems)), { statusCode: 400 }) } : true;
    };
  const app = Fastify({
    // In the place of Fastify's own, which are not even loaded.
    schemaController: {
      compilersFactory: { buildValidator: () => validator as never, buildSerializer: () => () => JSON.stringify },
    },
    loggerInstance: kernel.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: (handler, options) => kernel.front.server(handler, options),
    bodyLimit: config.max_request_body_bytes,
    forceCloseConnections: 'idle',
    // Whoever meets the end is told so by the listener and the endpoints, in their own words.
    return503OnClosing: false,
    // For plugins that start, and for those that drain.
    pluginTimeout: Math.min(10_000 + 2 * config.shutdown_grace_ms, 2 ** 31 - 1),
    // A resource URI is one segment of a path, and may be long.
    routerOptions: { maxParamLength: 16384 },
    // Before any route is known: broken percent-encoding.
    frameworkErrors: (error, _request, reply) =>
      void (reply as unknown as FastifyReply)
        .code(error.statusCode ?? 400)
        .send({ kind: 'bad-request', message: error.message }),
  }) as unknown as FastifyInstance;
  app.decorate('kernel', kernel);
  app.decorate('host', createHost(parts.link ?? noHost, kernel.schemas, config.request_timeout_ms));
  app.addHook('onClose', () => kernel.scope.dispose());
  app.addHook('onListen', () => void setTimeout(warmMetaSchemas, 100).unref());

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = isSvcError(error);
    if (!known && error.statusCode !== undefined && error.statusCode < 500) {
      const kind = (error.code?.replace(/^FST_(ERR_)?/, '') ?? 'bad-request').toLowerCase().replaceAll('_', '-');
      return reply.code(error.statusCode).send({ kind, message: error.message });
    }
    const { status, body } = toHttpError(error);
    if (status >= 500) kernel.log.error({ err: error, url: request.url }, 'a request failed');
    return reply.code(status).send(body);
  });
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ kind: 'not-found', message: `No route ${request.method} ${request.url.split('?')[0]}` }),
  );

  for (const [index, plugin] of plugins.entries()) app.register(plugin.register, { config: slices[index] as object });
  return app;
}
