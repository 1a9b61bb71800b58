/** A signal with a limit of time. */

/**
 * Aborted when `signal` is, and after `ms` milliseconds, with the reason of whichever came first. Not by
 * `AbortSignal.any([signal, AbortSignal.timeout(ms)])` alone: what is followed there is held by nobody, and a timeout that
 * was collected never comes (https://github.com/nodejs/node/issues/57736). One that is listened to stays.
 */
export function withTimeout(signal: AbortSignal, ms: number): AbortSignal {
  const late = AbortSignal.timeout(ms);
  late.addEventListener('abort', () => undefined);
  return AbortSignal.any([signal, late]);
}
