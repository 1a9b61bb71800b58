/**
 * `npm run conformance [-- <word>...]`: the official suite against the built programs. Words choose the rows of the plan
 * whose name has them all; a word that begins with `=` chooses scenarios: `npm run conformance -- embedded =tools-call`.
 * Prints a table and what failed; ends with 1 when something did. `--json <file>` also writes the counts and what failed.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { judge, type Verdict } from './judge.ts';
import { olderWire } from './older-wire.ts';
import { plan, type Row } from './plan.ts';
import { type Servers, startServers } from './servers.ts';
import { installSuite, runSuite, type SuiteRun, strictBaseline } from './suite.ts';

/** Programs of the suite that run at a time where scenarios are asked for one by one. */
const atOnce = 3;

const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
const words = positionals.filter(each => !each.startsWith('='));
const wanted = positionals.filter(each => each.startsWith('=')).map(each => each.slice(1));
const chosen = plan
  .filter(({ what }) => words.every(word => what.includes(word)))
  .filter(({ scenarios }) => wanted.length === 0 || scenarios !== undefined)
  .map(row => (row.scenarios && wanted.length > 0 ? { ...row, scenarios: row.scenarios.filter(fits) } : row))
  .filter(({ scenarios }) => scenarios === undefined || scenarios.length > 0);

function fits(scenario: string): boolean {
  return wanted.some(word => scenario.includes(word));
}

async function runRow(row: Row, servers: Servers, baseline: string): Promise<Verdict> {
  const wire = row.older === undefined ? undefined : await olderWire(row.url(servers), row.older);
  const url = wire?.url ?? row.url(servers);
  const args = [...row.args, ...(row.strict ? ['--expected-failures', baseline] : [])];
  try {
    if (row.scenarios === undefined) return judge(row, [await runSuite(url, args)]);
    const left = [...row.scenarios];
    const runs: SuiteRun[] = [];
    const worker = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        runs.push(await runSuite(url, ['--scenario', next, ...args]));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return judge(row, runs);
  } finally {
    await wire?.close();
  }
}

if (chosen.length === 0)
  throw new Error(`no row has ${positionals.join(' and ')}; there are:\n${plan.map(each => each.what).join('\n')}`);
await installSuite();
const servers = await startServers();
const baseline = await strictBaseline();
const verdicts: Verdict[] = [];
try {
  for (const row of chosen) {
    console.error(`${row.what} ...`);
    verdicts.push(await runRow(row, servers, baseline.file));
  }
} finally {
  await Promise.all([servers.stop(), baseline.remove()]);
}

const table = new Table({
  head: ['what', 'scenarios passed', 'failed', 'checks passed', 'failed'],
  style: { head: [], border: [] },
});
for (const each of verdicts) table.push([each.what, each.passed, each.failed, each.checksPassed, each.checksFailed]);
console.log(table.toString());
const failures = verdicts.flatMap(({ what, problems }) => problems.map(each => `${what}: ${each}`));
for (const { what, excused } of verdicts) for (const each of excused) console.log(`${what}: cannot pass: ${each}`);
for (const each of failures) console.log(each);
const sum = (key: 'passed' | 'failed'): number => verdicts.reduce((total, each) => total + each[key], 0);
const counts = { passed: sum('passed'), failed: sum('failed'), failures };
console.log(`${counts.passed} scenarios passed, ${counts.failed} failed`);
if (values.json !== undefined) await writeFile(values.json, JSON.stringify(counts));
process.exitCode = counts.failed > 0 ? 1 : 0;
