/** A limit of time comes, although nobody holds its signal and the collector looks for it (nodejs/node#57736). */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { type AskOptions, asking } from '../../schemas/asking.ts';
import { withTimeout } from '../../schemas/with-timeout.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** The reason with which the signal is aborted, while everything that nobody holds is collected. */
async function reasonOf(given: AbortSignal): Promise<unknown> {
  let reason: unknown;
  given.addEventListener('abort', function (this: AbortSignal) {
    reason = this.reason;
  });
  for (const end = Date.now() + 5000; reason === undefined && Date.now() < end; ) {
    await sleep(10);
    gc();
  }
  return reason;
}

test('after its time, and when the other signal is aborted', async () => {
  const never = new AbortController();
  expect(await reasonOf(withTimeout(never.signal, 200))).toMatchObject({ name: 'TimeoutError' });
  const stopped = new AbortController();
  setTimeout(() => stopped.abort('stopped'), 100);
  expect(await reasonOf(withTimeout(stopped.signal, 60_000))).toBe('stopped');
  expect(withTimeout(AbortSignal.abort('before'), 60_000).reason).toBe('before');
});

test('a question whose author gave it AbortSignal.timeout is taken back then', async () => {
  const call = new AbortController();
  // As the port to the thread that asks: it follows the signal, and keeps nothing of the question.
  const questions = asking((_method, _params, { signal }: AskOptions = {}) =>
    reasonOf(AbortSignal.any([call.signal, signal as AbortSignal])),
  );
  const question = questions.ask('roots/list', {}, { signal: AbortSignal.timeout(200) });
  expect(await question).toMatchObject({ name: 'TimeoutError' });
});
