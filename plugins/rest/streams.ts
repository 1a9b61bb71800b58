/** Small event streams, such as that of one job: one event after the other, at the pace of the reader, ended with the server. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { EventSource } from './api.ts';

export type Streams = ReturnType<typeof createStreams>;

/** Lets the routes of `routes` that say so answer with events; a quiet stream gets a comment every so often. */
export async function allowEvents(routes: FastifyInstance, heartbeatSecs: number): Promise<void> {
  const sse = (await import('@fastify/sse')).default.default;
  const serializer = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data));
  await routes.register(sse, { heartbeatInterval: heartbeatSecs * 1000, serializer });
}

export function createStreams() {
  const open = new Set<AbortController>();

  return {
    /** Sends what `source` gives until it ends, the reader goes or the server closes; what it rejects with is the answer. */
    async send(reply: FastifyReply, source: EventSource): Promise<void> {
      const controller = new AbortController();
      const gone = new Promise<void>(resolve => {
        reply.sse.onClose(() => {
          controller.abort();
          resolve();
        });
      });
      const events = await source(controller.signal, () => void reply.raw.destroy());
      open.add(controller);
      reply.sse.sendHeaders();
      reply.raw.flushHeaders();
      try {
        for await (const event of events) {
          // A reader that goes while it is waited for would otherwise be waited for for ever.
          await Promise.race([reply.sse.send(event), gone]);
          if (controller.signal.aborted) break;
        }
      } catch {
        // The source has broken off, or the reader: either way there is no more to say.
      } finally {
        open.delete(controller);
      }
    },

    end(): void {
      for (const each of open) each.abort();
    },
  };
}
