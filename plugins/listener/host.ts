/** What the service object tells of the listener. */
import type { HostHalf } from '../../kernel/light.ts';
import type { Bound } from './api.ts';

/** Where a running server listens. */
export interface ListenerFields {
  /** The port that was bound. */
  readonly port: number;
  /** Bind address with port, such as `127.0.0.1:8765`. */
  readonly bind_addr: string;
}

export const listenerHalf = {
  plugin: 'listener',
  service(facts): ListenerFields {
    const { port, bind_addr } = facts as unknown as Bound;
    return { port, bind_addr };
  },
} satisfies HostHalf<object, ListenerFields>;
