/** The event bus as the host uses it: callbacks stay here, names and events cross. */
import type { Call } from './backend.ts';
import type { HostSide } from './host-side.ts';
import type { ServerBus } from './server-api.ts';

export function createServerBus(call: Call, side: HostSide): ServerBus {
  const subscriptions = new Map<number, number>();
  const hooks = new Map<number, number>();
  return {
    async subscribe(name, subscriber) {
      const key = side.subscribers.add(subscriber);
      return keep(call('subscribe', { name, key }), key, subscriptions, side.subscribers);
    },
    async unsubscribe(name, id) {
      return forget(await call('unsubscribe', { name, id }), id, subscriptions, side.subscribers);
    },
    async before(name, hook) {
      const key = side.hooks.add(hook);
      return keep(call('before', { name, key }), key, hooks, side.hooks);
    },
    async unsubscribeBefore(name, id) {
      return forget(await call('unsubscribeBefore', { name, id }), id, hooks, side.hooks);
    },
    emit: (name, input) => call('emit', { name, input }),
    publish: async (name, attributes) => void (await call('publish', { name, attributes })),
    veto: (reason, code = 'vetoed') => ({ reason, code }),
  };
}

interface Table {
  remove(key: number): void;
}

async function keep(asked: Promise<number>, key: number, ids: Map<number, number>, table: Table): Promise<number> {
  try {
    const id = await asked;
    ids.set(id, key);
    return id;
  } catch (error) {
    table.remove(key);
    throw error;
  }
}

function forget(ended: boolean, id: number, ids: Map<number, number>, table: Table): boolean {
  const key = ids.get(id);
  if (ended && key !== undefined) {
    ids.delete(id);
    table.remove(key);
  }
  return ended;
}
