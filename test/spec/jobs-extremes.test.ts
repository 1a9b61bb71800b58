/** Jobs that misbehave: results too large to keep, progress that makes no sense, from the host and from a skill. */
import { describe, expect } from 'vitest';
import { skillFolder, startConnected } from './fixture.ts';
import { asyncTool, ended, launch } from './jobs-fixture.ts';
import { verifies } from './verifies.ts';

const megabytes = 100;

/** The same tools in both places. */
const bodies = {
  huge: `return { data: 'x'.repeat(${megabytes} * 1048576) };`,
  text: `return 'x'.repeat(${megabytes} * 1048576);`,
  small: 'return { ok: true };',
  odd: `
    const { progress } = ctx;
    progress(4, 10, 'four');
    progress(2, 10, 'back');
    progress(Number.NaN, 10, 'nan');
    progress(Number.POSITIVE_INFINITY, 10, 'endless');
    progress(-1, 10, 'below');
    progress('6', 10, 'no number');
    progress(15, 10, 'beyond');
    return { ok: true };`,
};

const sources = {
  host: async () =>
    startConnected({}, server => {
      for (const [name, body] of Object.entries(bodies)) {
        const handler = new Function('args', 'ctx', body) as (args: unknown, ctx: unknown) => unknown;
        server.registerTool({ name, ...asyncTool }, (args, call) => handler(args, call));
      }
    }),
  skill: async () => {
    const tools = Object.entries(bodies).map(([name, body]) => ({ name, body, ...asyncTool }));
    const started = await startConnected({ skill_paths: [await skillFolder({ extreme: { tools } })] });
    await started.server.loadSkill('extreme');
    return started;
  },
};

describe.each(Object.keys(sources) as (keyof typeof sources)[])('from the %s', source => {
  verifies(
    ['job-state:result-bound'],
    `a result of ${megabytes} MB fails its job with a sentence, and nothing else is lost`,
    async () => {
      const { client } = await sources[source]();
      for (const name of ['huge', 'text']) {
        const record = await ended(client, await launch(client, name));
        expect(record).toMatchObject({
          status: 'failed',
          error: expect.stringMatching(
            /is at least 10\d{7} bytes long, at most 16777216 are taken \(max_result_bytes\): write it to/,
          ),
        });
        expect(JSON.stringify(record).length).toBeLessThan(2000);
        expect(await ended(client, await launch(client, 'small'))).toMatchObject({
          status: 'completed',
          result: { structuredContent: { ok: true } },
        });
      }
    },
    60_000,
  );

  verifies(['job:total', 'job:progress-sane'], 'only progress that goes forward is kept', async () => {
    const { client } = await sources[source]();
    const record = await ended(client, await launch(client, 'odd'));
    expect(record).toMatchObject({ status: 'completed', progress: { current: 15, total: 15, message: 'beyond' } });
  });
});
