/** One thing after the other: what is started through a queue waits for what was started before. */
import { createTurns } from '../../../kernel/index.ts';

export function createQueue() {
  const turns = createTurns();
  return {
    run: async <T>(work: () => Promise<T>): Promise<T> => turns.take('', work),
    idle: turns.idle,
  };
}
