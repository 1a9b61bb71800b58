/** Feedback over HTTP, at the gateway: reports come in, stored ones are read. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isSvcError, toHttpError } from '../../kernel/index.ts';
import { mostFindingBytes } from '../../schemas/finding-rules.ts';
import type { Json } from '../../schemas/loose.ts';
import { feedbackErrors } from './errors.ts';
import type { createFeedbackListing } from './listing.ts';
import type { FindingReader } from './reading.ts';
import type { createSubmissions } from './submissions.ts';

export interface RouteDeps {
  reader: Pick<FindingReader, 'body'>;
  submissions: ReturnType<typeof createSubmissions>;
  listing: ReturnType<typeof createFeedbackListing>;
  /** Where stored feedback is read. */
  readAt: readonly string[];
}

const printable = /^[\x21-\x7e]{1,256}$/;
const submission = { operationId: 'submit_feedback', summary: 'Report a finding' };
const reading = { operationId: 'list_feedback', summary: 'Stored feedback, newest first' };

export function addFeedbackRoutes(app: FastifyInstance, { reader, submissions, listing, readAt }: RouteDeps): void {
  app.register(async routes => {
    routes.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => fail(reply, error));
    // As bytes: what a body says twice, or in another encoding, would be gone once it is parsed.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

    routes.post('/v1/feedback', { schema: submission, bodyLimit: mostFindingBytes }, async (request, reply) => {
      const { 'x-request-id': asked } = request.headers;
      if (asked !== undefined) {
        if (typeof asked !== 'string' || !printable.test(asked)) {
          throw feedbackErrors.INVALID({ reason: 'X-Request-ID must be 1 to 256 visible ASCII characters' });
        }
        reply.header('x-request-id', asked);
      }
      const body: Json = reader.body((request.body as Buffer | undefined) ?? Buffer.alloc(0));
      return reply.code(201).send(await submissions.submit(body));
    });
    for (const [index, path] of readAt.entries()) {
      const schema = index === 0 ? reading : { ...reading, operationId: `${reading.operationId}_${index}` };
      routes.get(path, { schema }, async ({ query }) => listing.list(query as Record<string, unknown>));
    }
  });
}

function fail(reply: FastifyReply, error: Error & { statusCode?: number }): FastifyReply {
  const { status, body } = toHttpError(ownError(error));
  if (status >= 500) reply.log.error({ err: error }, 'feedback failed');
  const { kind, message } = body;
  return reply.code(status).send({ ok: false, success: false, error: { kind, message } });
}

function ownError(error: Error & { statusCode?: number }): Error {
  if (isSvcError(error) || error.statusCode === undefined || error.statusCode >= 500) return error;
  if (error.statusCode === 413) return feedbackErrors.TOO_LARGE({ limit: mostFindingBytes });
  const reason = error.statusCode === 415 ? 'send it as content-type application/json' : error.message;
  return feedbackErrors.INVALID({ reason }, error);
}
