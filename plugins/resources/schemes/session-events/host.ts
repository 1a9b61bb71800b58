/** Session event buffers of the host: they stay on its thread and are asked for pages. */
import { type AsyncDisposer, createKept, type HostHalf, plainCopy, wrongArgument } from '../../../../kernel/light.ts';
import type { PagedBuffer } from './api.ts';
import { type PageQuestion, pageQuestion } from './wire.ts';

export interface HostSessionEvents {
  /** Exposes a session event buffer, which stays on the host's thread, as `events://session/<session_id>`. */
  registerSessionEventBuffer(buffer: PagedBuffer): Promise<AsyncDisposer>;
}

export const sessionEventsHalf = {
  plugin: 'scheme-session-events',
  operations: ['registerSessionEventBuffer'],
  open(link): HostSessionEvents {
    const buffers = createKept<PagedBuffer>();
    link.answer(pageQuestion, async asked => {
      const { key, options } = asked as PageQuestion;
      const buffer = buffers.get(key);
      return buffer && plainCopy('page', await buffer.page(options));
    });
    return {
      async registerSessionEventBuffer(buffer) {
        if (typeof buffer?.page !== 'function') throw wrongArgument('buffer', 'an object with a function "page"');
        const { session_id } = buffer;
        return buffers.register(buffer, key => link.call('registerSessionEventBuffer', { key, session_id }));
      },
    };
  },
} satisfies HostHalf<HostSessionEvents>;
