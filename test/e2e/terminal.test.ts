/** A program in the foreground of a terminal: what it prints there, and its end when the terminal goes. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { testEnv } from '../environment.ts';
import { waitFor } from '../helper.ts';
import { isAlive, kill } from './gateway-program.ts';
import { program, runProgram } from './program.ts';

/** Runs a command in a terminal of its own; a line on stdin closes it, as a window is closed. */
const terminal = `
import os, pty, sys, select
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
print('pid', pid, flush=True)
while True:
    ready = select.select([fd, 0], [], [])[0]
    if 0 in ready:
        os.close(fd)
        break
    try:
        sys.stdout.write(os.read(fd, 65536).decode())
        sys.stdout.flush()
    except OSError:
        break
print('exit', os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
`;

const hasTerminals = process.platform !== 'win32' && spawnSync('python3', ['-c', 'import pty']).status === 0;

function inTerminal(...command: string[]) {
  const child = spawn('python3', ['-c', terminal, ...command], {
    env: { ...process.env, ...testEnv, NO_COLOR: '1', NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', chunk => {
    text += chunk;
  });
  const pid = (): number => Number(/^pid (\d+)/m.exec(text)?.[1] ?? 0);
  onTestFinished(async () => {
    if (pid() > 0) kill(pid());
    child.kill('SIGKILL');
  });
  return { text: () => text, pid, hangUp: () => void child.stdin.write('\n'), ended: once(child, 'close') };
}

test.runIf(hasTerminals)('a program whose terminal is closed ends in order', async () => {
  const run = inTerminal(process.execPath, program, '--dcc-type', 'window');
  await waitFor(() => run.text().includes('listens on'), 'the banner', 20_000);
  expect(run.text()).toMatch(/svc [\d.]+ listens on http:\/\/127\.0\.0\.1:\d+\/mcp/);
  const seen = runProgram(['status', 'window', '--json']);
  expect([await seen.ended, JSON.parse(seen.stdout()).running[0].pid]).toEqual([0, run.pid()]);
  run.hangUp();
  await run.ended;
  // By the signal, in Python's words, but not at once: it took its record with it, and its log is whole.
  expect(run.text()).toMatch(/^exit -1$/m);
  const gone = runProgram(['status', 'window']);
  expect([await gone.ended, gone.stderr()]).toEqual([2, expect.stringContaining('nothing runs')]);
  const log = runProgram(['logs', 'window', '--json']);
  expect([await log.ended, log.stdout().includes('listening on')]).toEqual([0, true]);
});

test.runIf(hasTerminals && spawnSync('nohup', ['--version']).status === 0)(
  'one that nohup keeps goes on when its terminal is closed',
  async () => {
    const command = `nohup "${process.execPath}" "${program}" --dcc-type kept < /dev/null > /dev/null 2>&1 & echo "kept $!"; wait`;
    const run = inTerminal('/bin/sh', '-c', command);
    const kept = await waitFor(() => Number(/^kept (\d+)/m.exec(run.text())?.[1]), 'its process id', 10_000);
    onTestFinished(() => kill(kept));
    const shown = async (): Promise<boolean> => {
      const status = runProgram(['status', 'kept', '--json']);
      return (await status.ended) === 0;
    };
    await waitFor(shown, 'its record', 20_000);
    run.hangUp();
    await run.ended;
    expect([isAlive(kept), await shown()]).toEqual([true, true]);
    const stop = runProgram(['stop', 'kept']);
    expect([await stop.ended, stop.stdout()]).toEqual([0, expect.stringContaining('stopped')]);
  },
);
