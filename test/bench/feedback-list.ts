/** `svc-cli feedback list` over 100,000 stored reports: the time until it has printed, the processor's part of it, and the memory. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testEnv } from '../environment.ts';
import { type Bench, median, megabytes, ms } from './bench.ts';
import { builtFile } from './peer.ts';

const run = promisify(execFile);
const stored = { files: 20, each: 5000 };

/**
 * A program that says on stderr, as its last line, what it has used. What Linux gives as the most memory of a process
 * begins with that of the process which started it: there the peak of its own address space is told.
 */
const counting = [
  "import {readFileSync} from 'node:fs'",
  'const peak=()=>{try{return Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status","utf8"))[1])}catch{}}',
  'process.once("exit",()=>{const used=process.resourceUsage();process.stderr.write("\\n"+JSON.stringify({...used,maxRSS:peak()??used.maxRSS}))})',
].join(';');
const counted = ['--import', `data:text/javascript,${encodeURIComponent(counting)}`];

interface Used {
  /** KiB. */
  maxRSS: number;
  /** Microseconds. */
  userCPUTime: number;
  systemCPUTime: number;
}
const usedIn = (stderr: string): Used => JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Used;
const cpuMs = ({ userCPUTime, systemCPUTime }: Used): number => (userCPUTime + systemCPUTime) / 1000;

/** As a feedback tool stores it. */
function record(index: number): string {
  const text = `the ${index}th thing that did not go as it should, with some words about it`;
  return JSON.stringify({
    ...{ id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, timestamp: Date.now() / 1000 - index },
    ...{ schema_version: 1, fingerprint: `sha256:${'0a'.repeat(32)}`, dcc_type: 'maya', adapter: 'dcc-mcp-maya' },
    ...{ adapter_version: '1.2.3', core_version: '0.1.0', host_version: '2026.1', os: 'linux', phase: 'dispatch' },
    ...{ severity: 'blocker', tool_slug: 'maya.ab12cd34.make_sphere', intent: text, observed: text, expected: text },
    ...{ repro: { steps: [text] }, evidence: { request_id: `r-${index}` } },
    redaction_status: { mode: 'needs-review', redaction_markers_detected: false },
  });
}

/** A gateway over `records` reports; `list` says how long the command took, and what it used. */
async function scene(records: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-feedback-list-'));
  const env = { ...process.env, ...testEnv, SVC_REGISTRY_DIR: folder, XDG_STATE_HOME: join(folder, 'state') };
  await mkdir(join(folder, 'feedback'), { mode: 0o700 });
  for (let file = 0; records && file < stored.files; file += 1) {
    const lines = Array.from({ length: stored.each }, (_, index) => record(file * stored.each + index));
    await writeFile(join(folder, 'feedback', `maya-${file + 1}.jsonl`), `${lines.join('\n')}\n`);
  }
  const gateway = spawn(
    process.execPath,
    [...counted, builtFile('svc-server.js'), 'gateway', '--json', '--port', '0'],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let told = '';
  gateway.stderr.on('data', chunk => {
    told += chunk;
  });
  await once(gateway.stdout, 'data');
  return {
    async list() {
      const begun = performance.now();
      const words = [...counted, builtFile('svc-cli.js'), 'feedback', 'list', '--range', 'all', '--json'];
      const { stdout, stderr } = await run(process.execPath, words, { env, maxBuffer: 1 << 24 });
      const { total } = JSON.parse(stdout) as { total: number };
      if (total !== (records ? stored.files * stored.each : 0)) throw new Error(`it lists ${total} reports`);
      return { ms: performance.now() - begun, used: usedIn(stderr) };
    },
    /** What the gateway has used. */
    async end(): Promise<Used> {
      gateway.kill('SIGTERM');
      await once(gateway, 'close');
      await rm(folder, { recursive: true, force: true });
      return usedIn(told);
    },
  };
}

export const feedbackList: Bench = {
  name: 'feedback-list',
  title: 'svc-cli feedback list over 100,000 stored reports',
  run: async ({ rounds }) => {
    const taken = { full: [] as number[], empty: [] as number[], cpu: [] as number[], rss: [] as number[] };
    const [full, empty] = [await scene(true), await scene(false)];
    for (let round = 0; round < rounds; round += 1) {
      taken.empty.push((await empty.list()).ms);
      const { ms: took, used } = await full.list();
      taken.full.push(took);
      taken.cpu.push(cpuMs(used));
      taken.rss.push(used.maxRSS * 1024);
    }
    const [idle, gateway] = [await empty.end(), await full.end()];
    return [
      {
        what: 'from start to output, against none stored',
        ...{ ours: ms(median(taken.full)), other: ms(median(taken.empty)) },
        ...{ figure: ms(median(taken.full)), target: '<= 2 s' },
      },
      {
        what: 'CPU time of the gateway for a list, and of the command',
        ...{ ours: ms((cpuMs(gateway) - cpuMs(idle)) / rounds), other: ms(median(taken.cpu)) },
        ...{ figure: ms((cpuMs(gateway) - cpuMs(idle)) / rounds + median(taken.cpu)), target: '' },
      },
      {
        what: 'peak memory of the gateway, and of the command',
        ...{ ours: megabytes(gateway.maxRSS * 1024), other: megabytes(median(taken.rss)) },
        ...{ figure: megabytes(Math.max(gateway.maxRSS * 1024, ...taken.rss)), target: '<= 150 MB' },
      },
    ];
  },
};
