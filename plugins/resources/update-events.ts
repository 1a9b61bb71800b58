/** What happens to one resource, as the events of a stream: bounded in streams, and in what a reader leaves unread. */
import type { ServerEvent } from '../rest/api.ts';
import type { ResourcesService } from './api.ts';
import { resourceErrors } from './errors.ts';

export interface UpdateEventsDeps {
  onUpdated: ResourcesService['onUpdated'];
  /** Most streams at once. */
  limit: number;
  /** Unread bytes after which a reader is cut off. */
  maxBytes: number;
}

export type UpdateEvents = ReturnType<typeof createUpdateEvents>;

export function createUpdateEvents({ onUpdated, limit, maxBytes }: UpdateEventsDeps) {
  let streams = 0;

  /** Follows `uri` from now until `signal`; throws SVC_RESOURCES_TOO_MANY_STREAMS. `cut` is for a reader that does not read. */
  return (uri: string, signal: AbortSignal, cut: () => void): AsyncIterable<ServerEvent> => {
    if (streams >= limit) throw resourceErrors.TOO_MANY_STREAMS({ limit });
    const waiting: string[] = [];
    let unread = 0;
    let wake: () => void = () => undefined;
    const stop = onUpdated(uri, event => {
      const data = JSON.stringify(event);
      unread += data.length;
      waiting.push(data);
      if (unread > maxBytes) cut();
      wake();
    });
    streams += 1;
    const end = (): void => {
      streams -= 1;
      void stop();
      wake();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    return (async function* () {
      while (!signal.aborted) {
        const data = waiting.shift();
        if (data === undefined) {
          await new Promise<void>(resolve => {
            wake = resolve;
          });
        } else {
          unread -= data.length;
          yield { data };
        }
      }
    })();
  };
}
