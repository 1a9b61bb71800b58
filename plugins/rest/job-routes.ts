/** `GET /v1/jobs/{id}/events` and `DELETE /v1/jobs/{id}` (shape:instance). */
import type { FastifyInstance } from 'fastify';
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

export function addJobRoutes(routes: FastifyInstance, jobs: RestJobs, streams: Streams): void {
  routes.get<JobRoute>(
    '/jobs/:id/events',
    { sse: 'only', exposeHeadRoute: false, schema: events },
    ({ params: { id } }, reply) => streams.send(reply, signal => jobs.events(id, signal)),
  );
  routes.delete<JobRoute>('/jobs/:id', { schema: cancel }, async ({ params: { id } }, reply) => {
    await jobs.cancel(id);
    return reply.code(204).send();
  });
}
