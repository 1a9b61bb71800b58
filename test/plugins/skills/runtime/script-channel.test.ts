/** The channel of scripts (skills/README.md): progress, log, partial output, cancellation and questions, with the helpers. */
import { expect, test } from 'vitest';
import { waitFor } from '../../../helper.ts';
import { errorOf, type Heard, rig, run, skill } from './skill.ts';

const hearing = (): Heard => ({ progress: [], logs: [] });

const py = (body: string): string => `import svc_script as svc, sys, time\n${body}\n`;
const sh = (body: string): string => `. "$SVC_HELPERS/svc_script.sh"\n${body}\n`;

async function started(files: Record<string, string>) {
  const { runtimes } = await rig();
  return runtimes.start(await skill(files));
}

test('Python: arguments, progress, log and a result without any installation', async () => {
  const runtime = await started({
    'scripts/work.py': py(
      `args = svc.arguments()
for n in range(args["count"]):
    svc.progress(n + 1, args["count"], "step %d" % n)
svc.log("warning", {"odd": "é"})
svc.log("nonsense", "text")
svc.succeed("done", count=args["count"])`,
    ),
  });
  const heard = hearing();
  expect(await run(runtime, 'work', { count: 3 }, { heard })).toEqual({
    success: true,
    message: 'done',
    context: { count: 3 },
  });
  expect(heard.progress).toEqual([
    [1, 3, 'step 0'],
    [2, 3, 'step 1'],
    [3, 3, 'step 2'],
  ]);
  expect(heard.logs).toEqual([
    ['warning', { odd: 'é' }],
    ['info', 'text'],
  ]);
});

test('shell: progress, log, partial output that a failure carries, any characters', async () => {
  const runtime = await started({
    'scripts/work.sh': sh(
      `svc_progress 1 4 'a "quoted" \\ text'\nsvc_log error $'two\\nlines'\nsvc_partial 'one of two'\necho broken >&2\nexit 3`,
    ),
    'scripts/told.sh': sh(`svc_partial half\nsvc_fail 'no "node"'`),
  });
  const heard = hearing();
  const error = await errorOf(run(runtime, 'work', {}, { heard }));
  expect(error.message).toContain('exit code 3: broken');
  expect(error.details.partial).toBe('one of two');
  expect(heard.progress).toEqual([[1, 4, 'a "quoted" \\ text']]);
  expect(heard.logs).toEqual([
    ['error', 'two\nlines'],
    ['info', 'one of two'],
  ]);
  expect(await run(runtime, 'told')).toMatchObject({ isError: true, content: [{ text: 'no "node"' }, {}] });
});

test('a script that listens ends by itself when it is cancelled', async () => {
  const runtime = await started({
    'scripts/polite.py': py(
      `import pathlib
args = svc.arguments()
svc.log("info", "ready") if not svc.cancelled() else None
while not svc.cancelled():
    time.sleep(0.02)
pathlib.Path(args["file"]).write_text("cleaned up")`,
    ),
  });
  const { tempDir } = await import('../../../helper.ts');
  const file = `${await tempDir()}/note`;
  const heard = hearing();
  const abort = new AbortController();
  const call = errorOf(run(runtime, 'polite', { file }, { heard, signal: abort.signal }));
  await waitFor(() => heard.logs.length > 0, 'the script to run');
  abort.abort(new Error('enough'));
  expect((await call).message).toContain('enough');
  const { readFile } = await import('node:fs/promises');
  await waitFor(async () => (await readFile(file, 'utf8').catch(() => '')) === 'cleaned up', 'its clean-up');
});

test('a script asks the client, and hears why it cannot', async () => {
  const runtime = await started({
    'scripts/ask.py': py(
      `try:
    told = svc.elicit("Really?", {"type": "object", "properties": {}})
    svc.succeed(told["action"])
except svc.Refused as refused:
    svc.fail(str(refused), refused.code)`,
    ),
  });
  const asked: unknown[] = [];
  const ask = async (method: string, params: Record<string, unknown>) => {
    asked.push([method, params.message]);
    return { action: 'accept', content: {} };
  };
  expect(await run(runtime, 'ask', {}, { ask: ask as never })).toMatchObject({ success: true, message: 'accept' });
  expect(asked).toEqual([['elicitation/create', 'Really?']]);
  expect(await run(runtime, 'ask')).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('asked nothing') }, {}],
  });
});

test('noise on the channel is ignored, a flood is cut to its budget, closing it harms nobody', async () => {
  const runtime = await started({
    'scripts/noise.sh': `printf 'no json\\n[]\\nnull\\n{"type":"progress","progress":"x"}\\n{"type":7}\\n' >&3\nprintf '{"type":"log","data":"end"}' >&3\nprintf '\\n' >&3\necho 1`,
    'scripts/flood.py': py(`
for n in range(20000):
    svc.log("info", n)
print(2)`),
    'scripts/endless.py': `import os\nos.write(3, b'x' * 1000000)\nprint(3)`,
    'scripts/shut.sh': `exec 3>&-\necho 4`,
  });
  const heard = hearing();
  expect(await run(runtime, 'noise', {}, { heard })).toBe(1);
  expect(heard).toEqual({ progress: [], logs: [['info', 'end']] });
  expect(await run(runtime, 'flood', {}, { heard })).toBe(2);
  expect(heard.logs.length).toBeLessThan(10_000);
  expect(await run(runtime, 'endless')).toBe(3);
  expect(await run(runtime, 'shut')).toBe(4);
});

test('run by hand, the helpers speak to standard error', async () => {
  const { execFileSync } = await import('node:child_process');
  const env = { ...process.env, PYTHONPATH: 'plugins/skills/helpers', SVC_CHANNEL_FD: '' };
  const code = 'import svc_script as s; s.progress(1); print(s.cancelled()); s.succeed("ok")';
  const out = execFileSync('python3', ['-c', code], { env, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
  expect(out).toBe('False\n{"success": true, "message": "ok", "context": {}}\n');
});
