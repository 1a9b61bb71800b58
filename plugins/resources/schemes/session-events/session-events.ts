/** `events://session/<id>?cursor=&limit=&drain=` over the buffers that hosts register. */
import { type Disposer, rpcErrors } from '../../../../kernel/index.ts';
import type { ResourceProducer } from '../../api.ts';
import type { PagedBuffer, SessionEventsService } from './api.ts';
import { createSessionEventBuffer } from './buffer.ts';

export interface SessionEvents extends SessionEventsService {
  producer: ResourceProducer;
}

const prefix = 'events://session/';
const mimeType = 'application/json';
const uriOf = (sessionId: string): string => prefix + encodeURIComponent(sessionId);

export interface SessionEventsDeps {
  nowNs(): number;
  onListChange(): void;
  /** Called with the URI of a buffer that is gone. */
  onRemoved(uri: string): void;
}

export function createSessionEvents({ nowNs, onListChange, onRemoved }: SessionEventsDeps): SessionEvents {
  const buffers = new Map<string, PagedBuffer>();

  const registerSessionEventBuffer = (buffer: PagedBuffer): Disposer => {
    if (typeof buffer.session_id !== 'string' || buffer.session_id === '') {
      throw rpcErrors.INVALID_PARAMS({ reason: '"session_id" of an event buffer must be a text' });
    }
    if (buffers.has(buffer.session_id)) {
      throw rpcErrors.INVALID_PARAMS({ reason: `session "${buffer.session_id}" has an event buffer already` });
    }
    buffers.set(buffer.session_id, buffer);
    onListChange();
    return () => {
      if (buffers.get(buffer.session_id) !== buffer) return;
      buffers.delete(buffer.session_id);
      onListChange();
      onRemoved(uriOf(buffer.session_id));
    };
  };

  const find = (uri: string) => {
    if (!uri.startsWith(prefix)) return undefined;
    const url = new URL(uri);
    const buffer = buffers.get(decodeURIComponent(url.pathname.slice(1)));
    return buffer && { buffer, options: optionsOf(url.searchParams) };
  };

  return {
    registerSessionEventBuffer,
    createBuffer(options) {
      const buffer = createSessionEventBuffer(options, nowNs);
      registerSessionEventBuffer(buffer);
      return buffer;
    },
    producer: {
      scheme: 'events',
      list: () =>
        [...buffers.keys()].map(id => ({
          uri: uriOf(id),
          name: `Events of session ${id}`,
          description: 'Output and host events of one session, oldest first',
          mimeType,
        })),
      templates: () => [
        {
          uriTemplate: `${prefix}{session_id}`,
          name: 'Session events',
          description: 'A page of a session event buffer; add ?cursor=, &limit= and &drain=true',
          mimeType,
        },
      ],
      complete: (_, variable, value) =>
        variable === 'session_id' ? [...buffers.keys()].filter(id => id.startsWith(value)) : [],
      // A read may drain.
      knows: uri => find(uri) !== undefined,
      async read(uri) {
        const found = find(uri);
        if (!found) return undefined;
        return [{ uri, mimeType, text: JSON.stringify(await found.buffer.page(found.options)) }];
      },
    },
  };
}

function optionsOf(query: URLSearchParams): { cursor?: number; limit?: number; drain?: boolean } {
  const options: { cursor?: number; limit?: number; drain?: boolean } = {};
  for (const [name, value] of query) {
    if (name === 'drain') {
      if (value !== 'true' && value !== 'false') throw bad('"drain" must be true or false');
      options.drain = value === 'true';
    } else if (name === 'cursor' || name === 'limit') {
      if (!/^\d{1,15}$/.test(value)) throw bad(`"${name}" must be a whole number`);
      options[name] = Number(value);
    } else {
      throw bad(`"${name}" is not a parameter of events:// (use cursor, limit, drain)`);
    }
  }
  return options;
}

const bad = (reason: string) => rpcErrors.INVALID_PARAMS({ reason });
