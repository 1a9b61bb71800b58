/** The time of day jumps, as after a sleep, a dead battery or a first word of NTP: nobody is lost, nobody ends. */
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { waitFor } from '../helper.ts';
import { createWorld, isAlive } from './gateway-program.ts';
import { listening, program, runNode } from './program.ts';

const preload = new URL('../fixtures/jumping-clock.mjs', import.meta.url);
const hourMs = 3_600_000;

test('servers and the gateway outlive a clock that jumps, forwards and back', async () => {
  const world = await createWorld();
  const clock = world.file('clock');
  const set = (hours: number): Promise<void> => writeFile(clock, String(hours * hourMs));
  const wrong = { NODE_OPTIONS: `--import=${preload}`, SVC_TEST_CLOCK: clock };
  const args = ['serve', '--json', '--gateway-port', String(world.port), '--registry-dir', world.directory];
  const quick = ['--heartbeat-secs', '1', '--stale-timeout-secs', '5', '--gateway-idle-timeout-secs', '4'];
  const guard = ['--gateway-guardian-interval', '0.3', '--gateway-guardian-failures', '50'];
  const serve = (type: string, env: NodeJS.ProcessEnv) =>
    runNode(program, [...args, ...quick, ...guard, '--dcc-type', type], env);
  // The daemon has the clock of the server that launches it.
  const first = serve('first', wrong);
  await listening(first);
  const daemon = await world.daemon();
  const second = serve('second', wrong);
  await listening(second);

  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const url = `http://127.0.0.1:${world.port}${path}`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, unknown>;
  };
  /** Finds a tool of each, and calls it. */
  const works = async (): Promise<boolean> => {
    const answers = await Promise.all(
      ['first', 'second'].map(async dcc_type => {
        const { hits } = (await post('/v1/search', { query: 'process status', dcc_type })) as {
          hits?: { tool_slug: string }[];
        };
        return hits?.[0] !== undefined;
      }),
    );
    return answers.every(Boolean);
  };
  await waitFor(works, 'both in the index', 20_000);
  for (const hours of [26, -26, 0]) {
    await set(hours);
    // From the jump on; as long as it takes to be stale, and for a gateway to be idle.
    const until = performance.now() + 5000;
    while (performance.now() < until) {
      expect(await works(), `${hours} hours off`).toBe(true);
      await new Promise(resolve => setTimeout(resolve, 200));
    }
    expect([isAlive(daemon), first.child.exitCode, second.child.exitCode]).toEqual([true, null, null]);
  }
  // Ends and newcomers are seen while the clock is off.
  await set(-52);
  second.child.kill('SIGKILL');
  await second.ended;
  await waitFor(async () => !(await works()), 'the end of one', 10_000);
  await listening(serve('second', wrong));
  await waitFor(works, 'the new one', 10_000);
}, 60_000);
