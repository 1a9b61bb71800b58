/** The HTTP routes of the endpoint: raw bodies in, hijacked answers out, errors as JSON-RPC. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Disposer, type Front, isSvcError, rpcErrors, type SvcError, toSvcError } from '../../kernel/index.ts';
import { isJson } from '../../schemas/media-type.ts';
import type { ServerConfig } from '../../schemas/server-config.ts';
import type {} from '../listener/api.ts';
import { allowCors } from './cors.ts';
import type { Endpoint } from './endpoint.ts';
import { mcpErrors } from './errors.ts';
import type { Connection } from './exchange.ts';
import { acceptedEncodings, type PlainBodySink, readPlainBody } from './plain-body.ts';

const served = 'POST, GET, DELETE';

/** Adds the routes in a context of their own, so that its parser and error handler touch no other route. */
export function addRoutes(app: FastifyInstance, settings: ServerConfig, cors: boolean, endpoint: Endpoint): void {
  app.register(async routes => {
    const url = settings.endpoint_path;
    // Bodies are our own affair: a DELETE that claims JSON and sends nothing is a good DELETE.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // No request of this endpoint is logged, so none needs a logger of its own.
    routes.setChildLoggerFactory(logger => logger);
    routes.setErrorHandler((error: FastifyError, request, reply) => {
      const known = endpointError(error);
      if (known.row.http >= 500) routes.kernel.log.error({ err: error }, 'the MCP endpoint failed');
      return reply.code(known.row.http).type('application/json').send(endpoint.refusal(known, request.headers));
    });
    if (cors) await allowCors(routes);

    const connect = (request: FastifyRequest, reply: FastifyReply): Connection => {
      const extra = cors ? definedHeaders(reply) : undefined;
      reply.hijack();
      return { request: request.raw, response: reply.raw, extra };
    };

    // Read here rather than by Fastify's body parser: that costs more than all the rest of a small call.
    const read = reader(endpoint, settings.max_request_body_bytes);
    const receive = (request: FastifyRequest, reply: FastifyReply): void => read(connect(request, reply));
    const config = { refusesWhenClosing: true } as const;
    routes.route({
      method: 'POST',
      url,
      config,
      onRequest: (request, reply, _done) => receive(request, reply),
      handler: receive,
    });
    routes.get(url, { exposeHeadRoute: false, config }, (request, reply) => endpoint.listen(connect(request, reply)));
    routes.delete(url, { config }, (request, reply) => endpoint.remove(connect(request, reply)));
    routes.route({
      method: ['PUT', 'PATCH', 'OPTIONS', 'HEAD'],
      url,
      handler(request, reply) {
        reply.header('Allow', served);
        throw mcpErrors.METHOD_NOT_ALLOWED({ method: request.method, allowed: served });
      },
    });
  });
}

/**
 * The short way of POST and GET, around the router: what the routes above do, without making Fastify's request and
 * reply, which an event stream would hold as long as it is open.
 */
export function addDirectRoutes(front: Front, config: ServerConfig, endpoint: Endpoint): Disposer {
  const read = reader(endpoint, config.max_request_body_bytes);
  const leavePost = front.direct('POST', config.endpoint_path, (request, response) =>
    read({ request, response, extra: undefined }),
  );
  const leaveGet = front.direct('GET', config.endpoint_path, (request, response) =>
    endpoint.listen({ request, response, extra: undefined }),
  );
  return async () => {
    await leavePost();
    await leaveGet();
  };
}

/** Reads a POST: the media type and the size are settled before anything is parsed. */
function reader({ post, refuse }: Endpoint, maxBytes: number): (connection: Connection) => void {
  const sink: PlainBodySink<Connection> = {
    body: post,
    tooLarge: connection => refuse(mcpErrors.BODY_TOO_LARGE({ max_request_body_bytes: maxBytes }), connection),
    unknownEncoding(connection, encoding) {
      const extra = { ...connection.extra, 'Accept-Encoding': acceptedEncodings };
      refuse(mcpErrors.CONTENT_ENCODING({ encoding, supported: acceptedEncodings }), { ...connection, extra });
    },
    broken: (connection, encoding) => refuse(rpcErrors.PARSE({ reason: `the body is not ${encoding}` }), connection),
  };
  return connection => {
    const { request } = connection;
    if (isJson(request.headers['content-type'])) readPlainBody(request, maxBytes, sink, connection);
    else refuse(mcpErrors.MEDIA_TYPE(), connection);
  };
}

/** What a failure before the handler is in terms of the error table. */
function endpointError(error: FastifyError): SvcError {
  if (isSvcError(error)) return error;
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return rpcErrors.INVALID_REQUEST({ reason: error.message });
  }
  return toSvcError(error);
}

function definedHeaders(reply: FastifyReply): Connection['extra'] {
  return Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined));
}
