/** The table of handlers on the host's main thread. */
import type { Disposer } from '../../kernel/light.ts';
import type { HostCall, HostHandler } from './api.ts';
import { hostErrors } from './errors.ts';
import { refuseUnsendable } from './wire.ts';

export interface HostHandlers {
  /** Adds a handler of the tool `name`; several may stand under one name while one replaces another. */
  add(name: string, handler: HostHandler): { key: number; remove: Disposer };
  has(name: string): boolean;
  /** Runs in place; throws what the handler throws, or SVC_HOST_GONE. */
  run(key: number, args: Record<string, unknown>, call: HostCall): unknown;
}

export function createHostHandlers(): HostHandlers {
  const handlers = new Map<number, { name: string; handler: HostHandler }>();
  let lastKey = 0;
  return {
    add(name, handler) {
      lastKey += 1;
      const key = lastKey;
      handlers.set(key, { name, handler });
      return { key, remove: () => void handlers.delete(key) };
    },
    has: name => [...handlers.values()].some(each => each.name === name),
    run(key, args, call) {
      const found = handlers.get(key);
      if (!found) throw hostErrors.GONE();
      const value = found.handler(args, call);
      refuseUnsendable(value);
      return value;
    },
  };
}
