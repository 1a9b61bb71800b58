/** Who is named when a call is late, and what an ordinary cancel leaves behind. */
import { expect, test } from 'vitest';
import { waitFor } from '../../../helper.ts';
import { skillApp, skillMd } from '../support.ts';
import { callOf, errorOf, run, rig as runtimeRig, skill } from './skill.ts';

const tools = {
  wait: `import { setTimeout as pause } from 'node:timers/promises';
    export default (_, ctx) => pause(20_000, 'late', { signal: ctx.signal });`,
  busy: `export default () => { const end = Date.now() + 700; while (Date.now() < end); return 'computed'; };`,
  ok: `export default () => 'ok';`,
  ask: `export default (_, ctx) => ctx.call('wait');`,
};
const named = Object.keys(tools);

const rig = (isolation: string) =>
  skillApp({
    probe: {
      'SKILL.md': skillMd('probe', { svc: `    isolation: ${isolation}` }),
      'tools.yaml': `tools: [${named.map(name => `{ name: ${name}, description: It. }`).join(', ')}]`,
      ...Object.fromEntries(Object.entries(tools).map(([name, code]) => [`tools/${name}.ts`, code])),
    },
  });

test.each(['worker', 'process'])(
  'a late call names the tool that held it up instead of itself (%s)',
  async isolation => {
    const { app } = await rig(isolation);
    await app.skills.load('probe');
    const late = (name: string, timeoutMs: number) =>
      app.tools.call({ name, args: {}, timeoutMs }).then(
        () => 'in time',
        (error: Error) => error.message,
      );
    const advice = 'give that one less to do at once, or let it yield';
    expect(await late('wait', 100)).toMatch(/^Tool "wait" did not finish within 100 ms: try a smaller request/);
    expect(await late('ask', 100)).toBe(
      'Tool "ask" did not finish within 100 ms: it waited for tool "wait", which it had called',
    );
    const beside = late('wait', 600);
    await app.tools.call({ name: 'ok', args: {} });
    const busy = app.tools.call({ name: 'busy', args: {} });
    const behind = late('ok', 300);
    expect(await behind).toBe(
      `Tool "ok" did not finish within 300 ms: it has not begun, because tool "busy" of the same skill holds their thread: ${advice}`,
    );
    expect(await beside).toBe(
      `Tool "wait" did not finish within 600 ms: tool "busy", which runs beside it, holds their thread: ${advice}`,
    );
    expect((await busy).content).toEqual([{ type: 'text', text: 'computed' }]);
  },
);

const ending = {
  'tools/polite.ts': `export default (_, ctx) => new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)));`,
  'tools/broken.ts': `export default () => { throw new Error('it broke'); };`,
  'scripts/nap.sh': 'sleep 30\n',
};

test.each(['worker', 'process'] as const)(
  'an ordinary cancel is no error with a stack in the log (%s)',
  async isolation => {
    const { runtimes, log } = await runtimeRig();
    const runtime = await runtimes.start(await skill(ending, { isolation }));
    // One that is given up at once, one whose end is waited for (as that of a job), and a script.
    for (const [tool, graceMs] of [
      ['polite', 0],
      ['polite', 5000],
      ['nap', 0],
    ] as const) {
      const abort = new AbortController();
      const failed = errorOf(runtime.call(tool, {}, { ...callOf({ signal: abort.signal }), graceMs }));
      setTimeout(() => abort.abort(), 100);
      expect((await failed).code).toMatch(/^SVC_(?:RPC_CANCELLED|SKILLS_RUNTIME_TOOL_FAILED)$/);
    }
    await waitFor(
      () => log.some(each => each.msg === 'a cancelled tool ended'),
      'what the awaited end left in the log',
    );
    expect(log.filter(each => Number(each.level) > 20)).toEqual([]);
    expect(log.filter(each => 'stack' in each || 'err' in each)).toEqual([]);
    // What broke by itself has one.
    await errorOf(run(runtime, 'broken'));
    expect(log.find(each => each.msg === 'a skill tool failed')).toMatchObject({
      level: 40,
      stack: expect.any(String),
    });
  },
);
