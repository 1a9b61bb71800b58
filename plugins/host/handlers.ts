/** Runs the handlers of tools on the host's main thread, by the keys that the server knows them by. */
import type { Kept } from '../../kernel/light.ts';
import type { HostCall, HostHandler } from './api.ts';
import { hostErrors } from './errors.ts';
import { refuseUnsendable } from './wire.ts';

export interface NamedHandler {
  name: string;
  handler: HostHandler;
}

/** Runs in place; throws what the handler throws, or SVC_HOST_GONE. */
export type RunHandler = (key: number, args: Record<string, unknown>, call: HostCall) => unknown;

export function handlerRunner(handlers: Pick<Kept<NamedHandler>, 'get'>): RunHandler {
  return (key, args, call) => {
    const found = handlers.get(key);
    if (!found) throw hostErrors.GONE();
    const value = found.handler(args, call);
    refuseUnsendable(value);
    return value;
  };
}
