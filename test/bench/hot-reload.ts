/**
 * From the save of a module that a tool imports indirectly to the first new answer, while calls run all the time; and
 * the same in a bare script, which bundles and starts the worker itself, in turns with it.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bareReload } from './bare-reload.ts';
import { type Bench, ms, percentile, ratio } from './bench.ts';
import { withSkills } from './bench-skill.ts';
import { load } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { sessionHeaders } from './session.ts';

const saves = 40;
const value = (version: number): string => `export const version: number = ${version};\n`;
const fixture = {
  tools: [{ name: 'version', body: 'return { version: current() };' }],
  files: {
    'tools/version.ts':
      "import { current } from '../lib/current.ts';\nexport default () => ({ version: current() });\n",
    'lib/current.ts': "import { version } from './value.ts';\nexport const current = () => version;\n",
    'lib/value.ts': value(0),
  },
};
/** The same files for the script: nothing of them is loaded. */
const bareFixture = { bare: { ...fixture, tools: [{ ...fixture.tools[0], name: 'bare_version' }] } };
const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'version', arguments: {} } };
const bodies = (connection: number): string[] => [JSON.stringify({ ...call, id: connection })];

/** Between a save and the bare script's turn; a save is answered long before. */
const gapMs = 370;

const against = (what: string, ours: number, other: number, target: string) => ({
  ...{ what, ours: ms(ours), other: ms(other), figure: ratio(ours / other), target },
});

interface Seen {
  /** When the call was sent. */
  at: number;
  /** When it was answered. */
  answered: number;
  version: number | undefined;
}

export const hotReload: Bench = {
  name: 'hot-reload',
  title: `save of a transitive module to the new answer, ${saves} saves, 2 connections calling`,
  run: () =>
    withSkills({ hot: fixture, ...bareFixture }, folder =>
      withPeers(
        [
          () =>
            startPeer('svc', {
              entry: builtFile('index.js'),
              options: { skill_paths: [folder], watch_skills: true },
            }),
        ],
        async (...peers) => {
          const [svc] = peers as [Peer];
          await svc.ask('load', 'hot');
          const headers = await sessionHeaders(svc.url);
          const seen: Seen[] = [];
          const onAnswer = (text: string, at: number): void => {
            const version = /\\"version\\":(\d+)/.exec(text)?.[1];
            const failed = text.includes('"error":{') || version === undefined;
            seen.push({ at, answered: performance.now(), version: failed ? undefined : Number(version) });
          };
          let last = 0;
          const calls = load({
            url: svc.url,
            bodies,
            headers,
            connections: 2,
            seconds: saves * (gapMs / 1000 + 0.15) + 2,
            pace: 500,
            onAnswer,
          });
          const saved: number[] = [];
          await new Promise(resolve => setTimeout(resolve, 500));
          const bare: number[] = [];
          const files = { file: join(folder, 'bare/lib/value.ts'), entry: join(folder, 'bare/tools/version.ts') };
          // The compiler starts once, here as there.
          await bareReload(files, value(0));
          for (last = 1; last <= saves; last += 1) {
            saved[last] = performance.now();
            await writeFile(join(folder, 'hot', 'lib', 'value.ts'), value(last));
            // An odd interval, so that saves do not fall in step with the calls.
            await new Promise(resolve => setTimeout(resolve, gapMs + (last % 7) * 5));
            const { answer, took } = await bareReload(files, value(last));
            if ((answer as { version?: number }).version !== last)
              throw new Error('the bare script answered something else');
            bare.push(took);
          }
          const { failures } = await calls;
          const delays: number[] = [];
          let missing = 0;
          for (let version = 1; version <= saves; version += 1) {
            const first = seen.find(each => each.version !== undefined && each.version >= version);
            if (first) delays.push(first.answered - (saved[version] ?? 0));
            else missing += 1;
          }
          let newest = 0;
          let newestSince = 0;
          let stale = 0;
          for (const each of [...seen].sort((a, b) => a.answered - b.answered)) {
            if (each.version === undefined) continue;
            if (each.version > newest) {
              newest = each.version;
              newestSince = each.answered;
            } else if (each.version < newest && each.at > newestSince) {
              stale += 1;
            }
          }
          const failed = failures + seen.filter(each => each.version === undefined).length;
          const count = (what: string, found: number) => ({
            what,
            ours: `${found} of ${seen.length}`,
            figure: String(found),
            target: '0',
          });
          return [
            against('p50', percentile(delays, 50), percentile(bare, 50), ''),
            against('p95', percentile(delays, 95), percentile(bare, 95), '<= 1.30x'),
            { what: 'saves never seen', ours: `${missing} of ${saves}`, figure: String(missing), target: '0' },
            count('stale answers', stale),
            count('failed calls', failed),
          ];
        },
      ),
    ),
};
