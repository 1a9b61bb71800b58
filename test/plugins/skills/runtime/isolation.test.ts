/** What a skill can do to itself, and that it does it to nobody else (issue: "What bad input gets"; EXPERIMENTS D6, D7). */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../helper.ts';
import { errorOf, type Heard, rig, run, skill } from './skill.ts';

const files = {
  'tools/ok.ts': `export default args => ({ ok: args.n });`,
  'tools/slow.ts': `export default () => new Promise(resolve => setTimeout(resolve, 300, 'slow'));`,
  'tools/loop.ts': `export default () => { for (;;); };`,
  'tools/microtasks.ts': `export default async () => { for (;;) await null; };`,
  'tools/regex.ts': `export default () => /^(a+)+$/.test('a'.repeat(60) + 'b');`,
  'tools/atomics.ts': `export default () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); };`,
  'tools/asyncThrow.ts': `export default () => new Promise(() => { setTimeout(() => { throw new Error('late boom'); }, 5); });`,
  'tools/reject.ts': `export default () => new Promise(() => { Promise.reject(new Error('nobody listened')); });`,
  'tools/exit.ts': `export default () => { process.exit(7); };`,
  'tools/abort.ts': `export default () => { process.abort(); };`,
  'tools/suicide.ts': `export default () => { process.kill(process.pid, 'SIGKILL'); };`,
  'tools/heap.ts': `export default () => { const all = []; for (;;) all.push({ a: [1, 2, 3, all.length] }); };`,
  'tools/buffers.ts': `export default async () => { const all = []; for (;;) { all.push(Buffer.alloc(4e6, 1)); await new Promise(r => setTimeout(r, 5)); } };`,
  'tools/greedy.ts': `export default () => { const all = []; for (;;) all.push(Buffer.alloc(1e6, 1)); };`,
  'tools/print.ts': `export default async () => { for (;;) { console.log('rubbish'.repeat(50)); await new Promise(setImmediate); } };`,
  'tools/progress.ts': `export default (_, ctx) => { for (let i = 0; ; i++) { ctx.progress(i); ctx.log.info('again'); } };`,
  'tools/sabotage.ts': `export default () => { Object.prototype.polluted = 1; process.env.SABOTAGE = '1'; JSON.parse = () => { throw 1; }; return 'done'; };`,
};

for (const isolation of ['worker', 'process'] as const) {
  describe(`isolation ${isolation}`, () => {
    const start = async () => {
      const made = await rig();
      const victim = await made.runtimes.start(await skill(files, { isolation }));
      const other = await made.runtimes.start(await skill({ 'tools/ok.ts': files['tools/ok.ts'] }, { skill: 'other' }));
      return { ...made, victim, other };
    };

    test.each(['loop', 'microtasks', 'regex', 'atomics', 'progress'])(
      'a tool that hangs (%s) is ended at its deadline; calls not begun are sent again, others are untouched',
      async name => {
        const { victim, other } = await start();
        await run(victim, 'ok');
        const delay = monitorEventLoopDelay({ resolution: 5 });
        delay.enable();
        const before = run(victim, 'ok', { n: 1 });
        const hung = errorOf(run(victim, name, {}, { timeoutMs: 300 }));
        const behind = Promise.all([1, 2, 3].map(n => run(victim, 'ok', { n })));
        const elsewhere = Promise.all([1, 2, 3].map(n => run(other, 'ok', { n })));
        expect(await before).toEqual({ ok: 1 });
        expect(await elsewhere).toEqual([{ ok: 1 }, { ok: 2 }, { ok: 3 }]);
        expect((await hung).code).toBe('SVC_RPC_CANCELLED');
        expect(await behind).toEqual([{ ok: 1 }, { ok: 2 }, { ok: 3 }]);
        expect(await run(victim, 'ok', { n: 4 })).toEqual({ ok: 4 });
        expect(victim.running).toBe(0);
        delay.disable();
        // The rule is 50 ms; a loaded test machine gets room.
        expect(delay.max / 1e6).toBeLessThan(150);
      },
    );

    test('a call that ran beside the hung one fails with the name of the tool that hung', async () => {
      const { victim } = await start();
      const slow = errorOf(run(victim, 'slow'));
      const hung = errorOf(run(victim, 'loop', {}, { timeoutMs: 100 }));
      await hung;
      const error = await slow;
      expect(error.code).toBe('SVC_SKILLS_RUNTIME_TERMINATED');
      expect(error.message).toContain('"loop", which ran beside it, no longer answered');
    });

    test('a call that computes for long is not ended because another was cancelled', async () => {
      const { runtimes } = await rig();
      const runtime = await runtimes.start(
        await skill(
          {
            'tools/wait.ts': `export default () => new Promise(() => {});`,
            'tools/busy.ts': `export default () => { const end = Date.now() + 500; while (Date.now() < end); return 'computed'; };`,
          },
          { isolation },
        ),
      );
      const cancelled = errorOf(run(runtime, 'wait', {}, { timeoutMs: 50 }));
      const busy = run(runtime, 'busy');
      await cancelled;
      expect(await busy).toBe('computed');
    });

    test.each([
      ['asyncThrow', 'threw outside of a call: late boom'],
      ['reject', 'threw outside of a call: nobody listened'],
      ['exit', 'called process.exit(7)'],
      ['heap', 'exhausted its heap of 64 MB'],
      ['buffers', 'held more than 96 MB in buffers outside its heap'],
      // A thread that never yields cannot be stopped before its deadline.
      ...(isolation === 'process' && process.platform === 'linux' ? [['greedy', 'used more than 288 MB']] : []),
    ])(
      'a tool that crashes its skill (%s) gets an error that says so; the next call starts afresh',
      async (name, how) => {
        const { victim, other } = await start();
        const error = await errorOf(run(victim, name));
        expect(error.code).toBe('SVC_SKILLS_RUNTIME_CRASHED');
        expect(error.message).toBe(
          `Skill "probe" ended while its tool "${name}" ran: it ${how}. It starts afresh on the next call`,
        );
        expect(await run(other, 'ok', { n: 1 })).toEqual({ ok: 1 });
        expect(await run(victim, 'ok', { n: 2 })).toEqual({ ok: 2 });
      },
    );

    test.each([
      ['abort', 'process.abort refused'],
      ['suicide', 'process.kill refused'],
    ])('signals to the server (%s) are refused', async (name, text) => {
      const { victim } = await start();
      expect((await errorOf(run(victim, name))).message).toContain(text);
      expect(await run(victim, 'ok', { n: 2 })).toEqual({ ok: 2 });
    });

    test('a tool that prints without end costs its caller the deadline and nobody anything else', async () => {
      const { victim, other, log } = await start();
      const printing = errorOf(run(victim, 'print', {}, { timeoutMs: 500 }));
      for (let n = 0; n < 20; n++) expect(await run(other, 'ok', { n })).toEqual({ ok: n });
      expect((await printing).code).toBe('SVC_RPC_CANCELLED');
      expect(await run(victim, 'ok', { n: 1 })).toEqual({ ok: 1 });
      expect(log.length).toBeLessThan(1000);
    });

    test('globals and environment are private to the skill', async () => {
      const { victim, other } = await start();
      await run(victim, 'sabotage').catch(() => undefined);
      expect(({} as { polluted?: number }).polluted).toBeUndefined();
      expect(process.env.SABOTAGE).toBeUndefined();
      expect(await run(other, 'ok', { n: 1 })).toEqual({ ok: 1 });
    });

    test('a skill that keeps crashing is paused with a clear error', async () => {
      const { victim } = await start();
      for (let n = 0; n < 5; n++) expect((await errorOf(run(victim, 'exit'))).code).toBe('SVC_SKILLS_RUNTIME_CRASHED');
      const error = await errorOf(run(victim, 'ok'));
      expect(error.code).toBe('SVC_SKILLS_RUNTIME_CRASH_LOOP');
      expect(error.message).toMatch(
        /ended 5 times within 10 s \(last: it called process.exit\(7\)\) and is paused for \d+ s/,
      );
    });

    test('closing a skill whose tool hangs is quick', async () => {
      const { victim } = await start();
      const heard: Heard = { progress: [], logs: [] };
      const hung = errorOf(run(victim, 'progress', {}, { heard }));
      await waitFor(() => heard.progress.length > 0, 'its beginning');
      const startedAt = Date.now();
      await victim.close(0);
      expect((await hung).code).toBe('SVC_SKILLS_RUNTIME_TERMINATED');
      expect(Date.now() - startedAt).toBeLessThan(1500);
    });
  });
}

/** What V8 gives up for the whole program in a thread: a single allocation beyond what it leaves a heap that is full. */
const monsters = {
  array: `new Array(1e9).fill(0)`,
  split: `'x'.repeat(5e8).split('')`,
  map: `const all = new Map(); for (let n = 0; ; n++) all.set(n, n)`,
  object: `const all = {}; for (let n = 0; ; n++) all['k' + n] = n`,
  text: `let text = 'x'; for (;;) { text += text; text.charCodeAt(0); }`,
  concat: `let all = new Array(1e6).fill(1); for (;;) all = all.concat(all)`,
};

test('no allocation of a skill that does not say where it runs harms the server or another skill', async () => {
  const { runtimes, log } = await rig();
  const code = Object.entries(monsters).map(([name, text]) => [
    `tools/${name}.ts`,
    `export default () => { ${text}; };`,
  ]);
  const spec = { isolation: undefined };
  const names = Object.keys(monsters);
  const all = await Promise.all(
    names.map(async name => runtimes.start(await skill(Object.fromEntries(code), { ...spec, skill: name }))),
  );
  const other = await runtimes.start(await skill({ 'tools/ok.ts': files['tools/ok.ts'] }, { ...spec, skill: 'other' }));
  const errors = all.map((runtime, at) => errorOf(run(runtime, names[at] ?? '')));
  expect(await run(other, 'ok', { n: 1 })).toEqual({ ok: 1 });
  for (const error of await Promise.all(errors)) {
    expect(error.code).toBe('SVC_SKILLS_RUNTIME_CRASHED');
    expect(error.message).toMatch(/exhausted its heap of 64 MB|used more than 288 MB/);
  }
  expect(await run(other, 'ok', { n: 2 })).toEqual({ ok: 2 });
  expect(log.filter(each => /stack trace|v8::/.test(String(each.msg)))).toEqual([]);
}, 30_000);

test('a native call that cannot be interrupted holds a worker, not the server; a process is killed at once', async () => {
  const { runtimes } = await rig();
  const block = {
    'tools/block.ts': `import { execSync } from 'node:child_process'; export default () => { execSync('sleep 2'); return 1; };`,
    'tools/ok.ts': files['tools/ok.ts'],
  };
  for (const isolation of ['worker', 'process'] as const) {
    const runtime = await runtimes.start(await skill(block, { isolation, skill: isolation }));
    const startedAt = Date.now();
    await errorOf(run(runtime, 'block', {}, { timeoutMs: 100 }));
    expect(await run(runtime, 'ok', { n: 1 })).toEqual({ ok: 1 });
    expect(Date.now() - startedAt).toBeLessThan(1500);
  }
});
