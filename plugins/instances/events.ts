/** What the directory of instances tells the bus. */
import type { InstanceEvent, InstanceLeft, InstanceTrouble } from './api.ts';

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'instance.appeared': InstanceEvent;
    'instance.changed': InstanceEvent;
    'instance.left': InstanceLeft;
    'instance.unreachable': InstanceTrouble;
    'instance.booting': InstanceTrouble;
  }
}

export const instancesEvents = {
  'instance.appeared': 'an instance registered, or was found',
  'instance.changed': 'what callers see of an instance changed; heartbeats change nothing',
  'instance.left': 'an instance deregistered, ended, or was not heard of any more: `reason` says which',
  'instance.unreachable': 'a probe found that an instance does not answer',
  'instance.booting': 'a probe found that the host of an instance is still starting',
} as const;
