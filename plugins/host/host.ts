/** The host's side of a server: its handlers, subscribers and policy hooks, by the keys that the server knows them by. */
import type { BeforeHook, EventEnvelope } from '../kernel/light.ts';
import { createHostHandlers, type HostHandlers } from './host/handlers.ts';
import { createHostSources, type HostSources } from './host-sources.ts';
import type { HostLink } from './operations.ts';

type Callback = (event: EventEnvelope) => unknown;

export interface CallbackTable<T extends Callback> {
  add(callback: T): number;
  remove(key: number): void;
  get(key: number): T | undefined;
}

export interface HostSide extends HostLink {
  readonly tools: HostHandlers;
  readonly sources: HostSources;
  readonly subscribers: CallbackTable<Callback>;
  readonly hooks: CallbackTable<BeforeHook>;
  /** Whether the server serves the gateway, as far as it told. */
  isGateway(): boolean;
  /** Names of tools that have a handler anywhere, as far as the server told. */
  executable(name: string): boolean;
  /** Runs the subscriber `key`; what it throws or rejects with is thrown or rejected here. */
  deliver(key: number, event: EventEnvelope): unknown;
}

export function createHostSide(): HostSide {
  const tools = createHostHandlers();
  const sources = createHostSources();
  const subscribers = createCallbacks<Callback>();
  const hooks = createCallbacks<BeforeHook>();
  let serving = false;
  let names: ReadonlySet<string> = new Set();
  return {
    tools,
    sources,
    source: sources.answer,
    subscribers,
    hooks,
    executable: name => names.has(name) || tools.has(name),
    deliver: (key, event) => subscribers.get(key)?.(event),
    ask: (key, event) => hooks.get(key)?.(event),
    gateway: won => {
      serving = won;
    },
    isGateway: () => serving,
    handlers: known => {
      names = new Set(known);
    },
  };
}

function createCallbacks<T extends Callback>(): CallbackTable<T> {
  const callbacks = new Map<number, T>();
  let lastKey = 0;
  return {
    add(callback) {
      lastKey += 1;
      callbacks.set(lastKey, callback);
      return lastKey;
    },
    remove: key => void callbacks.delete(key),
    get: key => callbacks.get(key),
  };
}
