/** The jobs of an instance by its REST twin. */
import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import type { Pool } from 'undici';
import { objectOf, objects } from '../../../../schemas/loose.ts';
import type { JobDoor, JobEvents } from '../driver.ts';
import { failureOf } from './failures.ts';
import { jsonOf } from './reply.ts';
import type { Wire } from './wire.ts';

/** `prefix` is what REST paths are appended to, without the origin. */
export function createJobDoor(wire: Wire, streams: Pool, prefix: string): JobDoor {
  const pathOf = (jobId: string): string => `${prefix}/v1/jobs/${encodeURIComponent(jobId)}`;

  return {
    async list(limit, timeoutMs) {
      const { failure, reply } = await wire.fetch({
        method: 'GET',
        path: `${prefix}/v1/jobs?limit=${limit}`,
        timeoutMs,
      });
      if (failure) return failure;
      if (reply.status === 404) return [];
      if (reply.status === 200) return objects(objectOf(jsonOf(reply)).jobs);
      return { kind: 'malformed', reason: `status ${reply.status}` };
    },

    async events(jobId, { signal, timeoutMs }) {
      try {
        const { statusCode, headers, body } = await streams.request({
          method: 'GET',
          path: `${pathOf(jobId)}/events`,
          headers: { accept: 'text/event-stream' },
          signal,
          headersTimeout: timeoutMs,
        });
        // A body that is cut tells of it, to whoever reads it then or to nobody.
        body.on('error', () => undefined);
        const type = String(headers['content-type']);
        if (statusCode === 200 && type.startsWith('text/event-stream')) return read(body);
        body.destroy();
        return { kind: 'malformed', reason: `status ${statusCode}, ${type} instead of an event stream` };
      } catch (error) {
        if (signal.aborted) return { kind: 'cancelled', reason: 'the caller gave up' };
        return failureOf(error as Error);
      }
    },

    async cancel(jobId, timeoutMs) {
      const { failure, reply } = await wire.fetch({ method: 'DELETE', path: pathOf(jobId), timeoutMs });
      if (failure) return failure;
      const { status } = reply;
      if (status === 404 || (status >= 200 && status < 300)) return status !== 404;
      return { kind: 'malformed', reason: `status ${status}` };
    },
  };
}

/** The events of a body, as fast as they are taken: who does not take them holds back the instance, not memory. */
async function* read(body: AsyncIterable<Buffer> & { destroy(): void }): JobEvents {
  const ready: { event?: string; id?: string; data: string }[] = [];
  const parser = createParser({
    onEvent: ({ event, id, data }) => {
      ready.push({ data, ...(event !== undefined && { event }), ...(id !== undefined && { id }) });
    },
  });
  const decoder = new StringDecoder('utf8');
  try {
    for await (const chunk of body) {
      parser.feed(decoder.write(chunk));
      yield* ready.splice(0);
    }
  } catch {
    // The instance has gone, or the reader: either way there is no more to say.
  } finally {
    body.destroy();
  }
}
