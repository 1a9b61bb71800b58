import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { control, serveControl } from '../../cli/control.ts';
import { tempDir } from '../helper.ts';

/** Asks, and is gone before there is an answer. */
const impatient = `require('node:net').connect(process.argv[1], function () {
  this.write('status\\n', () => process.exit());
});`;

test('who does not wait for the answer ends no program: a busy one answers late, and is asked again', async () => {
  const windows = process.platform === 'win32';
  const address = windows ? `\\\\.\\pipe\\svc-test-${process.pid}` : join(await tempDir(), 'control.sock');
  const failures: Error[] = [];
  const note = (error: Error): void => void failures.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => void process.removeListener('uncaughtException', note));
  let asked = 0;
  const close = await serveControl(address, async () => {
    asked += 1;
    // Busy as a program is whose machine is: it hears of nothing until it answers.
    if (asked === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    return { asked };
  });
  onTestFinished(close);
  spawn(process.execPath, ['-e', impatient, address]);
  await expect.poll(() => asked, { timeout: 10_000 }).toBe(1);
  const { outcome, close: end } = control(address, 'status', 5000);
  expect(await outcome).toEqual({ state: 'answered', answer: { asked: 2 } });
  end();
  expect(failures).toEqual([]);
});
