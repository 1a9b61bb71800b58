/**
 * `npm run soak -- [--minutes N]`: everything at once for a long time against the built server. Sessions come and go,
 * streams are opened and dropped, skills load, unload and reload, calls run through all of it. Prints memory, sessions
 * and failures once a minute; a healthy run ends with flat memory and no failure.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { megabytes, type Row } from '../bench/bench.ts';
import { dirtySkill, echoSkill, withSkills } from '../bench/bench-skill.ts';
import { load } from '../bench/load.ts';
import { builtFile, type Peer, startPeer, withPeers } from '../bench/peer.ts';
import { echoCalls } from '../bench/peers/echo.ts';
import { sessionHeaders } from '../bench/session.ts';
import { formatTable } from '../bench/table.ts';
import { connect } from '../spec/wire.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
const end = performance.now() + minutes * 60_000;
const counts = { calls: 0, failures: 0, sessions: 0, cycles: 0, reloads: 0 };
const running = (): boolean => performance.now() < end;
const pause = (time: number): Promise<void> => new Promise(resolve => setTimeout(resolve, time));

/** Repeats `step` until the end; a failure is counted and told, not fatal. */
async function repeat(what: string, step: () => Promise<void>): Promise<void> {
  while (running()) {
    try {
      await step();
    } catch (error) {
      counts.failures += 1;
      console.error(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      await pause(100);
    }
  }
}

async function calls(svc: Peer): Promise<void> {
  const result = await load({
    url: svc.url,
    bodies: echoCalls('echo', 'skill_echo'),
    headers: await sessionHeaders(svc.url),
    connections: 8,
    seconds: Math.max(0.1, Math.min(10, (end - performance.now()) / 1000)),
    pace: 500,
  });
  counts.calls += result.requests;
  counts.failures += result.failures;
}

/** A session with a stream; every other one leaves without saying goodbye. */
async function visit(svc: Peer): Promise<void> {
  const client = await connect(svc.url);
  const stream = await client.stream();
  await client.tools();
  await pause(20);
  stream.close();
  if (counts.sessions % 2 === 0) await client.end();
  counts.sessions += 1;
}

async function cycle(svc: Peer): Promise<void> {
  const client = await connect(svc.url);
  await client.call('load_skill', { skill_name: 'dirty' });
  await client.call('dirty');
  await client.call('unload_skill', { skill_name: 'dirty' });
  await client.end();
  counts.cycles += 1;
  await pause(50);
}

async function save(folder: string): Promise<void> {
  const text = `export default async (args: unknown) => args;\n// ${counts.reloads}\n`;
  await writeFile(join(folder, 'echoes', 'tools', 'skill_echo.ts'), text);
  counts.reloads += 1;
  await pause(2000);
}

await withSkills({ echoes: echoSkill(), dirty: dirtySkill }, folder =>
  withPeers(
    [
      () =>
        startPeer('svc', {
          entry: builtFile('index.js'),
          options: { skill_paths: [folder], watch_skills: true, session_ttl_secs: 5, max_sessions: 10_000 },
        }),
    ],
    async (...peers) => {
      const [svc] = peers as [Peer];
      await svc.ask('load', 'echoes');
      const rows: Row[] = [];
      const watch = async (): Promise<void> => {
        const start = await svc.ask<number>('rss');
        while (running()) {
          await pause(Math.min(60_000, Math.max(0, end - performance.now())));
          const rss = await svc.ask<number>('rss');
          const figure = `${counts.failures} failures`;
          const done = `${counts.calls} calls, ${counts.sessions} sessions, ${counts.cycles} cycles, ${counts.reloads} saves`;
          rows.push({
            what: done,
            ours: megabytes(rss),
            other: `start ${megabytes(start)}`,
            figure,
            target: '0 failures',
          });
        }
      };
      await Promise.all([
        repeat('calls', () => calls(svc)),
        repeat('visit', () => visit(svc)),
        repeat('cycle', () => cycle(svc)),
        repeat('save', () => save(folder)),
        watch(),
      ]);
      console.log(formatTable(`soak of ${minutes} minutes`, rows));
    },
  ),
);
