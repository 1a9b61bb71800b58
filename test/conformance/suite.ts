/** The official suite as a program: installs the pinned version when it is missing, runs it, reads what it wrote. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanEnvironment, installLocked } from '../processes.ts';

const run = promisify(execFile);

const folder = join(import.meta.dirname, 'suite');
const name = '@modelcontextprotocol/conformance';
const installed = join(folder, 'node_modules', name);

/** One check as the suite writes it into checks.json. */
interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

/** What came of one scenario. */
export interface Outcome {
  scenario: string;
  checks: readonly Check[];
}

/** Stands for the checks of a scenario that threw: it leaves an empty folder. */
const broken: Check = { id: 'scenario', status: 'FAILURE', errorMessage: 'the scenario itself broke off' };

export interface SuiteRun {
  /** What the program ended with. */
  code: number;
  outcomes: readonly Outcome[];
  /** What it printed, for a run that wrote nothing. */
  output: string;
}

/** A run that hangs is ended: a scenario has half a minute of its own, a whole run takes far less. */
const longestMs = 300_000;

const json = async <T>(...path: string[]): Promise<T> => JSON.parse(await readFile(join(...path), 'utf8')) as T;

/** Installs what the lock file of `suite/` says, unless it is there already. */
export async function installSuite(): Promise<void> {
  const { dependencies } = await json<{ dependencies: Record<string, string> }>(folder, 'package.json');
  const found = await json<{ version: string }>(installed, 'package.json').catch(() => undefined);
  if (found?.version === dependencies[name]) return;
  await installLocked(folder);
}

/** Runs `conformance server` against `url`. */
export async function runSuite(url: string, args: readonly string[]): Promise<SuiteRun> {
  const out = await mkdtemp(join(tmpdir(), 'svc-conformance-'));
  const loader = join(folder, 'node-20.mjs');
  const program = join(installed, 'dist', 'index.js');
  try {
    const all = ['--import', loader, program, 'server', '--url', url, '--output-dir', out, ...args];
    const options = { cwd: folder, env: cleanEnvironment(), timeout: longestMs, maxBuffer: 64e6 };
    const ended = await run(process.execPath, all, options).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      (error: Error & { code?: number | string; stdout?: string; stderr?: string }) => ({
        code: typeof error.code === 'number' ? error.code : 1,
        output: `${error.stdout ?? ''}${error.stderr ?? ''}` || error.message,
      }),
    );
    return { ...ended, outcomes: await readOutcomes(out) };
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** Folders are named `server-<scenario>-<time of day>`, the time in the form of ISO 8601 with dashes. */
async function readOutcomes(out: string): Promise<Outcome[]> {
  const names = await readdir(out);
  const outcomes = await Promise.all(
    names.sort().map(async each => {
      const [, scenario] = /^server-(.+)-\d{4}-\d{2}-\d{2}T.*$/.exec(each) ?? [];
      if (scenario === undefined) return [];
      return [{ scenario, checks: await json<Check[]>(out, each, 'checks.json').catch(() => [broken]) }];
    }),
  );
  return outcomes.flat();
}

/** A file of the suite's own form that expects no failure: with it a warning counts as one. */
export async function strictBaseline(): Promise<{ file: string; remove: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-conformance-'));
  const file = join(directory, 'nothing-expected.yml');
  await writeFile(file, 'server: []\n');
  return { file, remove: () => rm(directory, { recursive: true, force: true }) };
}
