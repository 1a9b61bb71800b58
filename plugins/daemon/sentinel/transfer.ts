/** Handing the gateway on to a newer process, and serving who is still connected until it may end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, messageOf } from '../../../kernel/index.ts';
import type { ListenerService } from '../../listener/api.ts';
import { type Successor, type SuccessorInput, startSuccessor } from './successor.ts';

export interface TransferParts {
  env: Environment;
  listener: Pick<ListenerService, 'sockets' | 'retire'>;
  sessions: SuccessorInput['sessions'];
  /** Calls that have no answer yet. */
  inFlight(): number;
  /** How long a successor may take to listen, and how long a call in flight is waited for. */
  boundMs: number;
}

/** Who uses a connection asks again within this time, and learns then that it is to connect anew. */
const lastAnswersMs = 1000;
const pollMs = 50;

export interface Transferred {
  /** The successor. */
  pid?: number;
  /** Why this gateway stays. */
  reason?: string;
}

export function createTransfer({ env, listener, sessions, inFlight, boundMs }: TransferParts) {
  let under: Promise<Transferred> | undefined;
  let ending: Promise<void> | undefined;

  const start = async (successor: Successor): Promise<Transferred> => {
    try {
      const sockets = listener.sockets();
      const pid = await startSuccessor({ ...successor, env, sockets, sessions, timeoutMs: boundMs });
      listener.retire();
      ending = lastAnswers();
      return { pid };
    } catch (error) {
      under = undefined;
      return { reason: messageOf(error) };
    }
  };

  const lastAnswers = async (): Promise<void> => {
    const bound = performance.now() + boundMs;
    await sleep(lastAnswersMs);
    while (inFlight() > 0 && performance.now() < bound) await sleep(pollMs);
  };

  return {
    /** Of several that ask at once, the first starts the successor, and all hear of it. */
    start(successor: Successor): Promise<Transferred> {
      under ??= start(successor);
      return under;
    },
    /** Resolves when this process may end; at once when nothing was handed on. */
    done: (): Promise<void> => ending ?? Promise.resolve(),
  };
}
