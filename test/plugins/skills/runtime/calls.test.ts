import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../helper.ts';
import { callOf, errorOf, type Heard, rig, run, skill } from './skill.ts';

for (const isolation of ['worker', 'process'] as const) {
  describe(`module tools, isolation ${isolation}`, () => {
    test('a tool gets its arguments and ctx, and its value comes back stringified once', async () => {
      const { runtimes, events } = await rig();
      const runtime = await runtimes.start(
        await skill(
          {
            'tools/echo.ts': `import type { SkillTool } from 'svc';
              const echo: SkillTool = async (args, ctx) => {
                ctx.progress(1, 2, 'half'); ctx.progress(1); ctx.log.warning('careful', { a: 1 });
                ctx.emitEvent('probe.done', { n: 1 });
                return { success: true, args, skill: ctx.skill, tool: ctx.tool, config: ctx.config,
                  aborted: ctx.signal.aborted, other: await ctx.call('other', { x: 1 }) };
              };
              export default echo;`,
            'tools/content.ts': `export default () => ({ content: [{ type: 'text', text: 'hi' }] });`,
            'tools/text.ts': `export default () => 'plain';`,
            'tools/nothing.ts': `export default () => undefined;`,
            'tools/large.ts': `export default () => 'x'.repeat(4194303);`,
          },
          { isolation, config: { level: 3 } },
        ),
      );
      const heard: Heard = { progress: [], logs: [] };
      const value = await runtime.call('echo', { x: [1, 'é'] }, callOf({ heard }));
      expect(value).toMatchObject({ svcToolText: true, kind: 'object', success: true });
      expect(JSON.parse((value as { json: string }).json)).toEqual({
        success: true,
        args: { x: [1, 'é'] },
        skill: 'probe',
        tool: 'echo',
        config: { level: 3 },
        aborted: false,
        other: { content: [{ type: 'text', text: 'probe->other' }], args: { x: 1 } },
      });
      expect(heard).toEqual({
        progress: [[1, 2, 'half']],
        logs: [['warning', { message: 'careful', data: { a: 1 } }]],
      });
      expect(events).toEqual([{ skill: 'probe', name: 'probe.done', attributes: { n: 1 } }]);
      expect(await runtime.call('content', {}, callOf())).toMatchObject({ kind: 'content' });
      expect(await runtime.call('text', {}, callOf())).toMatchObject({ kind: 'text', json: '"plain"' });
      expect(await runtime.call('nothing', {}, callOf())).toMatchObject({ kind: 'other', json: 'null' });
      // Its size alone leaves the worker.
      expect(await runtime.call('large', {}, callOf())).toMatchObject({ kind: 'large', json: '4194305' });
      expect(runtime.running).toBe(0);
    });

    test('the ctx of a call may be taken apart, spread and kept: its signal and its log are its own', async () => {
      const { runtimes } = await rig();
      const spec = await skill(
        {
          'tools/keep.ts': `const kept = [];
            export default (_, ctx) => {
              kept.push(ctx);
              const { signal, log } = { ...ctx };
              const same = [signal === ctx.signal, log === ctx.log, kept[0].signal === signal, kept[0].log === log];
              return { same, aborted: signal.aborted, levels: Object.keys(log).length };
            };`,
        },
        { isolation },
      );
      const runtime = await runtimes.start(spec);
      await run(runtime, 'keep');
      const told = JSON.parse(((await runtime.call('keep', {}, callOf())) as { json: string }).json);
      expect(told).toEqual({ same: [true, true, false, false], aborted: false, levels: 8 });
    });

    test('a thrown error and a result that is not JSON each say what is wrong', async () => {
      const { runtimes, log } = await rig();
      const runtime = await runtimes.start(
        await skill(
          {
            'tools/boom.ts': `// a comment\ninterface A { a: number }\nexport default (): A => {\n  throw Object.assign(new Error('no mesh selected'), { code: 'NO_MESH' });\n};`,
            'tools/string.ts': `export default async () => { throw 'just text'; };`,
            'tools/bigint.ts': `export default () => ({ n: 1n });`,
            'tools/cycle.ts': `export default () => { const a: any = {}; a.a = a; return a; };`,
            'tools/deep.ts': `export default function deep(): unknown { return deep(); }`,
            'tools/hostile.ts': `export default () => { throw new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 2; } }); };`,
          },
          { isolation },
        ),
      );
      const boom = await errorOf(run(runtime, 'boom'));
      expect(boom.code).toBe('SVC_SKILLS_RUNTIME_TOOL_FAILED');
      expect(boom.message).toBe('Tool "boom" of skill "probe" failed: no mesh selected');
      expect(boom.details.error_code).toBe('NO_MESH');
      const logged = await waitFor(
        () => log.find(each => String(each.stack).includes('no mesh')),
        'the stack in the log',
      );
      expect(logged.stack).toMatch(/tools\/boom\.ts:4:\d+/);
      expect((await errorOf(run(runtime, 'string'))).message).toContain('failed: just text');
      expect((await errorOf(run(runtime, 'bigint'))).message).toMatch(/cannot be sent as JSON: .*BigInt/);
      expect((await errorOf(run(runtime, 'cycle'))).message).toMatch(/cannot be sent as JSON: .*circular/);
      expect((await errorOf(run(runtime, 'deep'))).message).toContain('Maximum call stack size exceeded');
      expect((await errorOf(run(runtime, 'hostile'))).message).toContain('a value that cannot be shown');
      expect((await errorOf(run(runtime, 'missing'))).message).toContain('runs no tool "missing"; it runs: boom, ');
    });

    test('cancelling a call aborts ctx.signal, answers at once, and leaves other calls alone', async () => {
      const { runtimes, events } = await rig();
      const runtime = await runtimes.start(
        await skill(
          {
            'tools/wait.ts': `export default (args, ctx) => new Promise(resolve => {
              ctx.signal.addEventListener('abort', () => { ctx.emitEvent('aborted', {}); resolve(1); });
              ctx.emitEvent('begun', {});
            });`,
            'tools/slow.ts': `export default () => new Promise(resolve => setTimeout(resolve, 1000, 'slow'));`,
          },
          { isolation },
        ),
      );
      const slow = run(runtime, 'slow');
      const abort = new AbortController();
      const waiting = errorOf(run(runtime, 'wait', {}, { signal: abort.signal }));
      // A call that is cancelled before it begins never runs.
      await waitFor(() => events.some(each => each.name === 'begun'), 'the call to begin');
      expect(runtime.running).toBe(2);
      abort.abort();
      expect((await waiting).code).toBe('SVC_RPC_CANCELLED');
      await waitFor(() => events.some(each => each.name === 'aborted'), 'the abort event');
      expect(await slow).toBe('slow');
      expect(runtime.running).toBe(0);
    });

    test('printing goes to the log within a budget, never to the server output', async () => {
      const { runtimes, log } = await rig();
      const runtime = await runtimes.start(
        await skill(
          {
            'tools/print.ts': `export default () => { console.log('to out'); console.error('to err'); process.stdout.write('raw\\n'); return 1; };`,
            'tools/flood.ts': `export default async () => { for (let i = 0; i < 200_000; i++) console.log('rubbish ' + i); return 'done'; };`,
          },
          { isolation },
        ),
      );
      await run(runtime, 'print');
      await waitFor(() => log.some(each => each.msg === 'raw'), 'the printed lines');
      expect(log).toContainEqual(expect.objectContaining({ msg: 'to out', skill: 'probe', level: 30 }));
      expect(log).toContainEqual(expect.objectContaining({ msg: 'to err', level: 40 }));
      expect(await run(runtime, 'flood')).toBe('done');
      expect(log.length).toBeLessThan(1000);
    });

    test('close waits for calls in flight up to its limit, then refuses new ones', async () => {
      const { runtimes, events } = await rig();
      const spec = await skill(
        {
          'tools/slow.ts': `export default () => new Promise(resolve => setTimeout(resolve, 150, 'slow'));`,
          'tools/never.ts': `export default (_, ctx) => { ctx.emitEvent('probe.began', {}); return new Promise(() => {}); };`,
        },
        { isolation },
      );
      const first = await runtimes.start(spec);
      const slow = run(first, 'slow');
      const closed = first.close(5000);
      expect((await errorOf(run(first, 'slow'))).code).toBe('SVC_SKILLS_RUNTIME_CLOSED');
      expect(await slow).toBe('slow');
      await closed;
      const second = await runtimes.start(spec);
      const never = errorOf(run(second, 'never'));
      await waitFor(() => events.length > 0, 'the call to begin');
      await second.close(50);
      expect((await never).message).toContain('unloaded while it ran');
    });
  });
}
