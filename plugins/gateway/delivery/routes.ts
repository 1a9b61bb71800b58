/** `GET /v1/jobs/{id}/events` and `DELETE /v1/jobs/{id}` of the gateway: passed on to the instance that owns the job. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Backend, StreamEvent } from '../backends/api.ts';
import { deliveryErrors } from './errors.ts';

interface JobRoute {
  Params: { id: string };
}

export interface JobRouteDeps {
  /** The connections to the owner of a job; rejects when there is none. */
  backendOf(jobId: string): Promise<Backend>;
  requestId(request: FastifyRequest, reply: FastifyReply): string;
}

export function addJobRoutes(routes: FastifyInstance, { backendOf, requestId }: JobRouteDeps): void {
  routes.get<JobRoute>('/jobs/:id/events', { exposeHeadRoute: false }, async (request, reply) => {
    const { id } = request.params;
    const backend = await backendOf(id);
    const abort = new AbortController();
    reply.raw.once('close', () => abort.abort());
    const events = await backend.jobEvents(id, abort.signal);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
      'X-Request-Id': requestId(request, reply),
    });
    raw.flushHeaders();
    raw.on('error', () => abort.abort());
    // pipe() waits for a slow reader, and with it the instance.
    Readable.from(frames(events))
      .on('error', () => raw.end())
      .pipe(raw);
  });

  routes.delete<JobRoute>('/jobs/:id', async (request, reply) => {
    const { id } = request.params;
    const backend = await backendOf(id);
    requestId(request, reply);
    if (!(await backend.cancelJob(id))) throw deliveryErrors.JOB_UNKNOWN({ job_id: id.slice(0, 256) });
    return reply.code(204).send();
  });
}

/** Events as text. */
async function* frames(events: AsyncIterable<StreamEvent>) {
  for await (const { event, id, data } of events) {
    const lines = data.split('\n').map(line => `data: ${line}\n`);
    yield `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
  }
}
