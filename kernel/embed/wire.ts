/** What crosses between the host's main thread and the server thread, and the names of the port's methods. */
import type { Channel, EventEnvelope } from '../kernel/light.ts';
import type { Operations } from './operations.ts';

/** Methods of the server thread, beside one per operation. */
export const threadMethods = { boot: 'boot', operate: 'operate', close: 'close', failure: 'failure' } as const;

/** Methods of the host's side, beside that of host calls. */
export const hostMethods = {
  deliver: 'host.deliver',
  ask: 'host.hook',
  handlers: 'host.handlers',
  gateway: 'host.gateway',
  source: 'host.source',
} as const;

/** Answer to `boot`. */
export interface Booted {
  /** The ring of waiting host calls. */
  slots: SharedArrayBuffer;
  /** One counter: events that the host has received. */
  received: SharedArrayBuffer;
  sliceMs: number;
  graceMs: number;
}

export interface Operate {
  name: keyof Operations;
  params: unknown;
}

export interface Delivery {
  key: number;
  event: EventEnvelope;
}

/** A subscriber of the host that failed, told to the server's log. */
export interface SubscriberFailure {
  event: string;
  message: string;
}

interface Endpoint {
  postMessage(message: unknown): void;
  on(event: 'message', receive: (message: unknown) => void): unknown;
}

/** A port's channel over either end of a worker. */
export function channelOf(endpoint: Endpoint, onClose: Channel['onClose']): Channel {
  return {
    post: message => endpoint.postMessage(message),
    onMessage: receive => void endpoint.on('message', receive),
    onClose,
  };
}
