/** Instances that were here: so that a caller hears "exited" and not "never heard of". */
import type { Instance } from './api.ts';

export interface GoneInstance {
  readonly instance: Instance;
  /** `exited`, `deregistered`, `host-died`, `heartbeat-timeout` or `unreachable`. */
  readonly reason: string;
  /** The same for people. */
  readonly message: string;
}

const kept = 1000;

export function createGone() {
  const gone = new Map<string, GoneInstance>();
  return {
    add(instance: Instance, reason: string, message: string): void {
      gone.delete(instance.instance_id);
      gone.set(instance.instance_id, { instance, reason, message });
      for (const oldest of gone.keys()) {
        if (gone.size <= kept) break;
        gone.delete(oldest);
      }
    },
    get: (instanceId: string): GoneInstance | undefined => gone.get(instanceId),
    forget: (instanceId: string): void => void gone.delete(instanceId),
    /** Newest first. */
    list: (): GoneInstance[] => [...gone.values()].reverse(),
  };
}

export type Gone = ReturnType<typeof createGone>;
