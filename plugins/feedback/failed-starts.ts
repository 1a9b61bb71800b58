/**
 * Sees to it that a start that fails leaves a finding, on the host's main thread: the server itself may not have come to
 * life. Whatever becomes of that, the host gets the error of the start.
 */
import { type EmbeddedServer, isSvcError, messageOf } from '../../kernel/light.ts';
import type { StartFailure } from './wire.ts';

/** Not a start that failed: there was none. */
const notStarted = 'SVC_SERVER_STOPPED';

/** `fallback` keeps the finding of a server that could not even boot. */
export function keepingFailedStarts<S extends EmbeddedServer>(
  server: S,
  fallback: (failure: StartFailure) => Promise<void>,
): S {
  const { start } = server;
  const told = new Set<string>();

  const keep = async (error: unknown): Promise<void> => {
    const failure = { code: codeOf(error), message: messageOf(error) };
    const key = JSON.stringify(failure);
    // Who tries again and again learns nothing new.
    if (failure.code === notStarted || told.has(key)) return;
    told.add(key);
    try {
      await server.operation('keepFailedStart', failure);
    } catch (problem) {
      // Switched off.
      if (isSvcError(problem) && problem.code === 'SVC_SERVER_OPERATION_UNKNOWN') return;
      await fallback(failure);
    }
  };

  return Object.assign(server, {
    start: async () => {
      try {
        return await start();
      } catch (error) {
        await keep(error).catch(problem =>
          process.emitWarning(`the finding of a failed start could not be kept: ${messageOf(problem)}`),
        );
        throw error;
      }
    },
  });
}

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && code !== '' ? code.slice(0, 256) : 'start_failed';
};
