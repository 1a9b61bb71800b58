/** Session records of this process alone. */
import type { SessionRecord, SessionStore } from './store.ts';

export function createMemorySessions(): SessionStore {
  const records = new Map<string, SessionRecord>();
  return {
    save: record => void records.set(record.id, record),
    get: id => records.get(id),
    remove: id => void records.delete(id),
  };
}
