/** Entry of the server thread: boots a core when the host says so and answers its operations. */
import { parentPort } from 'node:worker_threads';
import { type Config, createPort, type Port } from '../kernel/index.ts';
import { bootCore, type Core, type CoreInput } from './core.ts';
import { createHostBridge } from './host/bridge.ts';
import { createSlots, type HostSlots } from './host/slots.ts';
import { instancePlugins, serverSettings } from './index.ts';
import type { HostLink } from './operations.ts';
import {
  type Booted,
  channelOf,
  type Delivery,
  hostMethods,
  type Operate,
  type SubscriberFailure,
  threadMethods,
} from './thread-wire.ts';

/** Events that may wait for a blocked host before further ones are dropped. */
const maxUndelivered = 10_000;

if (parentPort) serve(createChannel(parentPort));

function createChannel(endpoint: NonNullable<typeof parentPort>) {
  // The host never leaves this thread behind: it terminates it, so there is no close to tell of.
  return channelOf(endpoint, () => undefined);
}

function serve(channel: ReturnType<typeof createChannel>): void {
  let core: Core | undefined;
  let warn: (details: object, message: string) => void = () => undefined;

  const boot = async (input: CoreInput): Promise<Booted> => {
    let slots: HostSlots | undefined;
    const received = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    core = await bootCore(input, {
      sources: instancePlugins,
      settings: serverSettings,
      connect: (config: Config) => {
        slots = createSlots(config.host_queue_max);
        const link = createLink({ port, received, timeoutMs: config.request_timeout_ms, onDrop: dropped });
        return { link, runner: createHostBridge(port, slots, Date.now) };
      },
    });
    warn = core.warn;
    const { host_slice_ms, shutdown_grace_ms } = core.config;
    const { memory } = slots as HostSlots;
    return { slots: memory, received, sliceMs: host_slice_ms, graceMs: shutdown_grace_ms };
  };

  const dropped = (event: string): void =>
    warn({ event, waiting: maxUndelivered }, 'the host does not take its events: further ones are dropped');

  const port = createPort(channel, {
    [threadMethods.boot]: input => boot(input as CoreInput),
    [threadMethods.operate]: operation => {
      const { name, params } = operation as Operate;
      return (core as Core).operations[name](params as never);
    },
    [threadMethods.close]: async () => {
      await core?.close();
      return null;
    },
    [threadMethods.failure]: failure =>
      warn({ ...(failure as SubscriberFailure) }, 'an event subscriber on the host failed'),
  });
}

interface LinkParts {
  port: Port;
  /** Counts the events that the host has taken. */
  received: SharedArrayBuffer;
  /** A hook that does not answer in time forbids, a source fails: a blocked host must not hold calls for ever. */
  timeoutMs: number;
  onDrop: (event: string) => void;
}

function createLink({ port, received, timeoutMs, onDrop }: LinkParts): HostLink {
  const taken = new Int32Array(received);
  let sent = 0;
  let dropping = false;
  return {
    deliver(key, event) {
      // Counters wrap at 32 bits; their distance does not.
      const waiting = (sent - Atomics.load(taken, 0)) | 0;
      if (waiting >= maxUndelivered) {
        if (!dropping) onDrop(event.name);
        dropping = true;
        return;
      }
      dropping = false;
      sent = (sent + 1) | 0;
      port.notify(hostMethods.deliver, { key, event } satisfies Delivery);
    },
    ask: (key, event) => port.call(hostMethods.ask, { key, event } satisfies Delivery, { timeoutMs }),
    source: (question, signal) => port.call(hostMethods.source, question, { timeoutMs, signal }),
    gateway: won => port.notify(hostMethods.gateway, won),
    handlers: names => port.notify(hostMethods.handlers, names),
  };
}
