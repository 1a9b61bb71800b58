/** What the host and other plugins may know of session events. */
import type { Disposer } from '../../../../kernel/light.ts';
import type { BufferOptions, EventPage, SessionEventBuffer } from './buffer.ts';

export type { BufferOptions, EventPage, SessionEvent, SessionEventBuffer, SessionEventInput } from './buffer.ts';

/** What must be known of a buffer to serve it: one on another thread answers with a promise. */
export interface PagedBuffer {
  readonly session_id: string;
  page(options: { cursor?: number; limit?: number; drain?: boolean }): EventPage | Promise<EventPage>;
}

export interface SessionEventsService {
  createBuffer(options: BufferOptions): SessionEventBuffer;
  /** Exposes a buffer under its session id; the disposer hides it again. */
  registerSessionEventBuffer(buffer: PagedBuffer): Disposer;
}

declare module 'fastify' {
  interface FastifyInstance {
    schemeSessionEvents: SessionEventsService;
  }
}
