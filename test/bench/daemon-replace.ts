/** The gateway daemon replaced by that of a newer version while calls go through it, over kept and fresh connections. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { type LoadReport, startLoad } from '../gateway-load.ts';
import { otherBuild } from '../other-build.ts';
import { cleanEnvironment, line, loadSkill, until } from '../processes.ts';
import { type Bench, median, ms } from './bench.ts';
import { echoSkill, withSkills } from './bench-skill.ts';
import { builtFile } from './peer.ts';
import { echoArguments } from './peers/echo.ts';

const limitMs = 2000;

export const daemonReplace: Bench = {
  name: 'daemon-replace',
  title: 'replacement of the gateway daemon by a newer version, 16 clients calling a skill tool through it',
  rounds: 3,
  run: ({ rounds }) =>
    withSkills({ echo: echoSkill('echo') }, async folder => {
      const port = await freePort();
      const children: ChildProcess[] = [];
      const serve = (program: string, ...args: string[]): ChildProcess => {
        const given = ['serve', '--json', '--gateway-port', String(port), '--registry-dir', join(folder, 'registry')];
        const env = cleanEnvironment();
        const stdio = ['ignore', 'pipe', 'ignore'] as const;
        const child = spawn(process.execPath, [program, ...given, ...args], { env, stdio: [...stdio] });
        children.push(child);
        return child;
      };
      const reports: LoadReport[] = [];
      try {
        const told = await line(serve(builtFile('svc-server.js'), '--dcc-type', 'maya', '--skill-paths', folder));
        await loadSkill(told.mcp_url, 'echo');
        const id = String(told.instance_id);
        await until(`http://127.0.0.1:${port}/v1/instances`, text => text.includes(id));
        for (let round = 1; round <= rounds; round += 1) {
          const version = `99.0.${round}`;
          const program = await otherBuild(folder, version);
          const load = startLoad(port, `maya.${id.slice(0, 8)}.echo`, 8, echoArguments);
          await sleep(500);
          await line(serve(program));
          await until(`http://127.0.0.1:${port}/health`, text => text.includes(version));
          // The older one has given its last answers by then.
          await sleep(2000);
          reports.push(await load.stop());
        }
      } finally {
        for (const child of children) child.kill('SIGKILL');
        await endDaemon(join(folder, 'registry', `gateway-autolaunch-${port}.json`));
      }
      return rows(reports);
    }),
};

async function endDaemon(manifest: string): Promise<void> {
  const { pid } = JSON.parse(await readFile(manifest, 'utf8')) as { pid: number };
  process.kill(pid, 'SIGKILL');
  await sleep(200);
}

function rows(reports: readonly LoadReport[]) {
  const calls = reports.reduce((sum, each) => sum + each.calls, 0);
  const failures = reports.flatMap(each => Object.entries(each.failed));
  const failed = failures.reduce((sum, [, times]) => sum + times, 0);
  const retryable = reports.reduce((sum, each) => sum + each.retryable, 0);
  const gaps = reports.map(each => each.longest_gap_ms);
  const what = failures.length === 0 ? '' : ` (${failures.map(([text]) => text).join('; ')})`;
  return [
    { what: 'calls', ours: String(calls), figure: String(calls), target: '' },
    { what: 'failed without a retryable answer', ours: `${failed}${what}`, figure: String(failed), target: '0' },
    { what: 'answered with "try again"', ours: String(retryable), figure: String(retryable), target: '' },
    {
      what: 'longest time without an answer',
      ours: `${ms(Math.max(...gaps))} (median ${ms(median(gaps))})`,
      figure: ms(Math.max(...gaps)),
      target: `<= ${limitMs} ms`,
    },
  ];
}
