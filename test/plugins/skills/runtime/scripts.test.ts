/** Script tools (shape:scripts): the protocol, and that no script hurts the server. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cutMiddle } from '../../../../plugins/skills/processes/kept-text.ts';
import { descendantsOf } from '../../../../plugins/skills/processes/strays.ts';
import { flagsOf, parseFailure, parseOutput } from '../../../../plugins/skills/runtime/script-protocol.ts';
import { tempDir, waitFor } from '../../../helper.ts';
import { errorOf, rig, run, skill } from './skill.ts';

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return true;
};

/** Gone, or a zombie that nobody reaps. */
const dead = async (pid: number): Promise<boolean> => {
  if (!alive(pid)) return true;
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return /\) [ZX]/.test(status);
};

test('parameters arrive as JSON on stdin and as flags, in every language [spec:shape:scripts]', async () => {
  const { runtimes } = await rig();
  const runtime = await runtimes.start(
    await skill({
      'scripts/py.py': `import sys, json, os\nprint(json.dumps({"in": json.load(sys.stdin), "argv": sys.argv[1:], "utf8": os.environ["PYTHONUTF8"], "cwd": os.path.basename(os.path.dirname(__file__))}))`,
      'scripts/js.mjs': `let t = ''; for await (const c of process.stdin) t += c; console.log(JSON.stringify({ in: JSON.parse(t), argv: process.argv.slice(2) }));`,
      'scripts/ts.ts': `import { shape } from '../lib/shape.ts'; let t = ''; for await (const c of process.stdin) t += c; console.log(JSON.stringify(shape(JSON.parse(t), process.argv.slice(2))));`,
      'lib/shape.ts': `export const shape = (input: unknown, argv: string[]) => ({ in: input, argv });`,
      'scripts/sh.sh': `printf '{"in": %s, "argv": ["%s", "%s"]}' "$(cat)" "$1" "$2"`,
    }),
  );
  const args = { frame_start: 1, name: 'é "quoted"', on: true, list: [1], big: 'x'.repeat(8193), _meta: { a: 1 } };
  const { _meta, ...sent } = args;
  const argv = ['--frame-start', '1', '--name', 'é "quoted"', '--on', 'true'];
  expect(await run(runtime, 'py', args)).toEqual({ in: sent, argv, utf8: '1', cwd: 'scripts' });
  expect(await run(runtime, 'js', args)).toEqual({ in: sent, argv });
  expect(await run(runtime, 'ts', args)).toEqual({ in: sent, argv });
  expect(await run(runtime, 'sh', args)).toEqual({ in: sent, argv: argv.slice(0, 2) });
});

test('a script runs in the working directory of the server and finds its package by its own path', async () => {
  const { runtimes } = await rig();
  const runtime = await runtimes.start(
    await skill({ 'scripts/where.sh': 'cat "$(dirname "$0")/../data.txt"; pwd', 'data.txt': 'data ' }),
  );
  expect(await run(runtime, 'where')).toEqual({ success: true, message: `data ${process.cwd()}` });
});

test('stdout that is empty or not JSON becomes a success envelope', () => {
  expect(parseOutput(' \n')).toEqual({ success: true, message: '' });
  expect(parseOutput('made 3 files\n')).toEqual({ success: true, message: 'made 3 files' });
  expect(parseOutput('\uFEFF{"success":false}')).toEqual({ success: false });
  expect(parseOutput('[1,2]')).toEqual([1, 2]);
});

test('a failure that a script tells by itself is a result with its message first, whatever the exit code', async () => {
  const { runtimes } = await rig();
  const envelope = '{"success": false, "error": "no_node", "message": "There is no node pCube9", "context": {"n": 1}}';
  const runtime = await runtimes.start(
    await skill({
      'scripts/one.sh': `echo '${envelope}'; echo trace >&2; exit 1`,
      'scripts/zero.sh': `echo '${envelope}'`,
      'scripts/liar.sh': `echo '{"success": true}'; echo 'core dumped' >&2; exit 1`,
      'scripts/bare.sh': `echo '{"success": false}'; exit 2`,
    }),
  );
  const failure = JSON.parse(envelope);
  const told = {
    content: [
      { type: 'text', text: 'There is no node pCube9' },
      { type: 'text', text: JSON.stringify(failure) },
    ],
    structuredContent: failure,
    isError: true,
  };
  expect(await run(runtime, 'one')).toEqual(told);
  expect(await run(runtime, 'zero')).toEqual(told);
  expect(await run(runtime, 'bare')).toEqual({ success: false });
  expect((await errorOf(run(runtime, 'liar'))).message).toContain('exit code 1: core dumped');
  expect(parseFailure('Traceback (most recent call last)')).toBeUndefined();
});

test('a long output is cut in the middle and says so', async () => {
  expect(cutMiddle('abcd', 4)).toBe('abcd');
  expect(cutMiddle(`${'a'.repeat(10)}${'b'.repeat(10)}`, 4)).toBe('aa\n[... 16 characters left out ...]\nbb');
  const { runtimes } = await rig();
  const loud = "import sys\nsys.exit('first cause ' + 'x' * 100000 + ' last line')";
  const { message } = await errorOf(run(await runtimes.start(await skill({ 'scripts/loud.py': loud })), 'loud'));
  expect(message.replaceAll(/x+/g, 'x')).toMatch(
    /exit code 1: first cause x\n\[\.\.\. \d+ characters left out \.\.\.\]\nx last line$/,
  );
  expect(message.length).toBeLessThan(2200);
});

test('only top-level strings up to 8192 bytes, numbers and booleans become flags', () => {
  expect(flagsOf({ a_b: 'x', n: 1.5, t: false, o: {}, l: [], z: null, long: 'é'.repeat(4097), nul: 'a\0b' })).toEqual([
    ...['--a-b', 'x', '--n', '1.5', '--t', 'false'],
  ]);
  expect(flagsOf({ safe: 'x y', danger: 'a & del' }, true)).toEqual(['--safe', 'x y']);
});

test('a non-zero exit is an error with the exit code and stderr, or stdout when that is empty', async () => {
  const { runtimes } = await rig();
  const runtime = await runtimes.start(
    await skill({
      'scripts/err.sh': 'echo "on out"; echo "no such node" >&2; exit 3',
      'scripts/out.sh': 'echo "only out"; exit 4',
      'scripts/silent.sh': 'exit 5',
      'scripts/signal.sh': 'kill -9 $$',
    }),
  );
  const error = await errorOf(run(runtime, 'err'));
  expect(error.code).toBe('SVC_SKILLS_RUNTIME_SCRIPT_FAILED');
  expect(error.message).toBe('Script err.sh of tool "err" ended with exit code 3: no such node');
  expect(error.details.exit_code).toBe(3);
  expect((await errorOf(run(runtime, 'out'))).message).toContain('exit code 4: only out');
  expect((await errorOf(run(runtime, 'silent'))).message).toContain('exit code 5: it printed nothing');
  expect((await errorOf(run(runtime, 'signal'))).message).toContain('ended with signal SIGKILL');
});

test('Python is chosen by SVC_PYTHON_EXECUTABLE, prepared by SVC_PYTHON_INIT_SNIPPET, refused for hosts, missed clearly', async () => {
  const spec = await skill({
    'scripts/a.py': 'import sys\nprint(globals().get("x"), sys.argv[1:], __name__, sys.path[0][-7:])',
    'scripts/m.mel': 'print("mel")',
  });
  const call = async (env: Record<string, string | undefined>, dcc = 'python', tool = 'a') => {
    const { runtimes } = await rig({ env: { ...process.env, ...env } });
    return run(await runtimes.start({ ...spec, dcc }), tool, { n: 1 });
  };
  expect(await call({})).toEqual({ success: true, message: "None ['--n', '1'] __main__ scripts" });
  const snippet = { SVC_PYTHON_INIT_SNIPPET: 'import builtins\nbuiltins.marker = 1' };
  expect(await call(snippet)).toMatchObject({ message: "None ['--n', '1'] __main__ scripts" });
  expect(await call({}, 'python', 'm')).toEqual({ success: true, message: 'mel' });
  const refused = await errorOf(call({}, 'maya'));
  expect(refused.code).toBe('SVC_SKILLS_RUNTIME_INTERPRETER_REFUSED');
  expect(refused.message).toContain('SVC_PYTHON_EXECUTABLE');
  expect(await call({ SVC_ALLOW_AMBIENT_PYTHON: '1' }, 'maya')).toMatchObject({ success: true });
  expect(await call(snippet, 'maya')).toMatchObject({ success: true });
  const missing = await errorOf(call({ SVC_PYTHON_EXECUTABLE: '/nowhere/mayapy' }, 'maya'));
  expect(missing.code).toBe('SVC_SKILLS_RUNTIME_INTERPRETER_MISSING');
  expect(missing.message).toBe(
    'Script a.py of tool "a" needs mayapy, which is not on the PATH: install Python 3, or set SVC_PYTHON_EXECUTABLE to the path of an interpreter',
  );
  expect((await errorOf(call({ PATH: '/nowhere' }))).message).toContain('needs python or python3');
});

test('a script that ignores stdin, floods stdout, closes it early or leaves a grandchild hurts nobody', async () => {
  const { runtimes } = await rig();
  const runtime = await runtimes.start(
    await skill({
      'scripts/deaf.sh': 'echo 1',
      'scripts/closed.sh': 'exec 0<&- 1>&- 2>&-; sleep 0.1',
      'scripts/flood.sh': 'exec cat /dev/zero',
      'scripts/leaver.sh': "sleep 3 & echo '{\"pid\": '$!'}'",
    }),
  );
  expect(await run(runtime, 'deaf', { big: ['x'.repeat(3_000_000)] })).toBe(1);
  expect(await run(runtime, 'closed', { big: ['x'.repeat(3_000_000)] })).toEqual({ success: true, message: '' });
  expect((await errorOf(run(runtime, 'flood'))).message).toContain(
    'printed more than 4194304 bytes (max_result_bytes): write it to a file',
  );
  const startedAt = Date.now();
  expect(await run(runtime, 'leaver')).toEqual({ pid: expect.any(Number) });
  expect(Date.now() - startedAt).toBeLessThan(2500);
  expect(runtime.running).toBe(0);
});

test.each(['deadline', 'close', 'dispose'])(
  'the whole process tree ends at %s, also when it ignores SIGTERM',
  async how => {
    const { runtimes } = await rig();
    const folder = await tempDir();
    const spec = await skill({
      'scripts/tree.sh': `trap '' TERM\n(trap '' TERM; sleep 60 & echo $! > "${folder}/pid"; wait) &\nwait`,
    });
    const runtime = await runtimes.start(spec);
    const failing = errorOf(run(runtime, 'tree', {}, how === 'deadline' ? { timeoutMs: 1500 } : {}));
    const pid = await waitFor(
      async () => Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => '')),
      'the pid',
    );
    expect(alive(pid)).toBe(true);
    if (how === 'close') await runtime.close(0);
    if (how === 'dispose') await runtimes.dispose();
    const error = await failing;
    if (how === 'deadline') expect(error.code).toBe('SVC_RPC_CANCELLED');
    else expect(error.message).toContain('was ended: the skill was unloaded while it ran');
    await waitFor(() => dead(pid), 'the end of the grandchild');
  },
);

test.runIf(process.platform === 'linux').each(['deadline', 'failure'])(
  'what left the group of its script, and lost its parent, ends at its %s, too',
  async how => {
    const { runtimes } = await rig();
    const folder = await tempDir();
    const leave = `setsid bash -c '(setsid sleep 60 & echo $! > "${folder}/pid") & exit 0'; until [ -s "${folder}/pid" ]; do sleep 0.02; done`;
    const runtime = await runtimes.start(
      await skill({ 'scripts/leave.sh': `${leave}\n${how === 'failure' ? 'exit 3' : 'sleep 60'}` }),
    );
    const error = await errorOf(run(runtime, 'leave', {}, how === 'deadline' ? { timeoutMs: 1500 } : {}));
    expect(error.code).toBe(how === 'deadline' ? 'SVC_RPC_CANCELLED' : 'SVC_SKILLS_RUNTIME_SCRIPT_FAILED');
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
    expect(pid).toBeGreaterThan(1);
    await waitFor(() => dead(pid), 'the end of what left');
  },
);

test('descendants are followed from parent to child, whatever their order', () => {
  expect(descendantsOf(10, '  1 0\n 31 30\n 30 10\n 11 10\n 99 1\n')).toEqual([30, 11, 31]);
});

test('more scripts at once than the limit wait for their turn; one that is cancelled there never starts', async () => {
  const { runtimes } = await rig();
  const folder = await tempDir();
  const runtime = await runtimes.start(await skill({ 'scripts/nap.sh': `echo x >> "${folder}/$2"; sleep 0.3` }));
  const abort = new AbortController();
  const many = Array.from({ length: 64 }, () => run(runtime, 'nap', { name: 'ran' }));
  const late = errorOf(run(runtime, 'nap', { name: 'late' }, { signal: abort.signal }));
  await new Promise(resolve => setTimeout(resolve, 20));
  abort.abort();
  expect((await late).code).toBe('SVC_RPC_CANCELLED');
  await Promise.all(many);
  await expect(readFile(join(folder, 'late'))).rejects.toThrow();
});
