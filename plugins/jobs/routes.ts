/** `GET /v1/jobs/{id}/events` and `DELETE /v1/jobs/{id}` (CONTRACT 5). */
import type { FastifyInstance } from 'fastify';
import type { Bus, Disposer } from '../../kernel/index.ts';
import type { JobsService } from './api.ts';
import { jobErrors } from './errors.ts';
import { jobEvents } from './job-stream.ts';

interface JobRoute {
  Params: { id: string };
}

/** Adds the routes; the disposer ends every open stream. */
export function addJobRoutes(
  app: FastifyInstance,
  jobs: JobsService,
  bus: Bus,
  heartbeatSecs: number,
  slugOf: (tool: string) => string,
): Disposer {
  const streams = new Set<AbortController>();
  const endAll = (): void => {
    for (const each of streams) each.abort();
  };
  // Before the server waits for its connections.
  app.addHook('preClose', async () => endAll());

  const assertKnown = (id: string): void => {
    if (!jobs.get(id)) throw jobErrors.NOT_FOUND({ job_id: id.slice(0, 256), hint: 'look at the receipt of the call' });
  };

  app.register(async routes => {
    const sse = (await import('@fastify/sse')).default.default;
    await routes.register(sse, { heartbeatInterval: heartbeatSecs * 1000 });

    routes.get<JobRoute>('/v1/jobs/:id/events', { sse: 'only' }, async (request, reply) => {
      const { id } = request.params;
      assertKnown(id);
      const controller = new AbortController();
      streams.add(controller);
      reply.sse.onClose(() => controller.abort());
      try {
        for await (const data of jobEvents({ jobs, bus, slugOf }, id, controller.signal)) {
          await reply.sse.send({ event: 'job', data });
        }
      } catch (error) {
        // A reader that went away is no failure of ours.
        if (!controller.signal.aborted && reply.sse.isConnected) throw error;
      } finally {
        streams.delete(controller);
      }
    });

    routes.delete<JobRoute>('/v1/jobs/:id', async (request, reply) => {
      const { id } = request.params;
      assertKnown(id);
      jobs.cancel(id);
      return reply.code(204).send();
    });
  });
  return endAll;
}
