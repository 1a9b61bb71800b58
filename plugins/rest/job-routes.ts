/** `GET /v1/jobs`, `GET /v1/jobs/{id}/events` and `DELETE /v1/jobs/{id}` (shape:instance). */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { RestJobs } from './api.ts';
import { pathOf } from './openapi.ts';
import type { Streams } from './streams.ts';

interface JobRoute {
  Params: { id: string };
}

const params = pathOf({ id: 'Id of a job' });
const events = {
  operationId: 'job_events',
  summary: 'Events of one job, to its end',
  params,
  response: { 200: { description: 'Events', content: { 'text/event-stream': { schema: { type: 'string' } } } } },
};
const cancel = {
  operationId: 'job_cancel',
  summary: 'Cancel one job',
  params,
  response: { 204: { description: 'Done', type: 'null' } },
};

const list = {
  operationId: 'jobs',
  summary: 'The last jobs, the newest first, without their results',
  querystring: Type.Object({
    limit: Type.Optional(
      Type.String({ pattern: '^([1-9][0-9]{0,2}|1000)$', description: 'Most of them, 100 without, 1000 at most' }),
    ),
  }),
};

interface ListRoute {
  Querystring: { limit?: string };
}

export function addJobRoutes(routes: FastifyInstance, jobs: RestJobs, streams: Streams): void {
  routes.get<ListRoute>('/jobs', { schema: list }, async request => {
    const found = await jobs.list(Number(request.query.limit ?? 100), request.raw);
    return { total: found.jobs.length, ...found };
  });
  routes.get<JobRoute>(
    '/jobs/:id/events',
    { sse: 'only', exposeHeadRoute: false, schema: events },
    ({ params: { id }, raw }, reply) => streams.send(reply, signal => jobs.events(id, signal, raw)),
  );
  routes.delete<JobRoute>('/jobs/:id', { schema: cancel }, async ({ params: { id }, raw }, reply) => {
    await jobs.cancel(id, raw);
    return reply.code(204).send();
  });
}
