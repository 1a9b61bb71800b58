/** The short way around the router for the addresses that exist: one of each instance that is there, one of each type. */
import type { Disposer } from '../../../kernel/index.ts';
import { createGroups } from '../../../schemas/groups.ts';
import type { InstanceEvent } from '../../instances/api.ts';

export interface ShortcutsDeps {
  toInstance(instance_id: string): Disposer;
  toType(dcc_type: string): Disposer;
}

export function createShortcuts({ toInstance, toType }: ShortcutsDeps) {
  const open = new Map<string, Disposer>();
  const close = (key: string): void => {
    void open.get(key)?.();
    open.delete(key);
  };
  const types = createGroups(
    type => open.set(`type ${type}`, toType(type)),
    type => close(`type ${type}`),
  );
  return {
    /** What became of one instance; costs the same however many others there are. */
    follow({ instance_id, dcc_type, routable }: Pick<InstanceEvent, 'instance_id' | 'dcc_type' | 'routable'>): void {
      types.put(instance_id, routable ? dcc_type : undefined);
      if (!routable) close(instance_id);
      else if (!open.has(instance_id)) open.set(instance_id, toInstance(instance_id));
    },
    dispose(): void {
      for (const key of [...open.keys()]) close(key);
    },
  };
}
