/**
 * `npm run clients [-- <word>...]`: the clients that people have, each as a process of its own, against the built server
 * and gateway. Words choose clients and targets whose names have them all. Prints a table and what failed; ends with 1
 * when something did. `--json <file>` also writes the counts and what failed.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { installLocked } from '../processes.ts';
import { judge, type Verdict } from './checks.ts';
import { type Client, clients, folder } from './clients.ts';
import { startTargets, type Target } from './target.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
const chosen = ({ name }: Client, target: Target): boolean =>
  positionals.every(word => `${name} ${target.name}`.toLowerCase().includes(word.toLowerCase()));

const json = async <T>(...path: string[]): Promise<T> => JSON.parse(await readFile(join(...path), 'utf8')) as T;

/** Installs what the lock file says, unless it is there already. */
async function install(): Promise<void> {
  const { dependencies } = await json<{ dependencies: Record<string, string> }>(folder, 'package.json');
  for (const [name, version] of Object.entries(dependencies)) {
    const manifest = json<{ version: string }>(folder, 'node_modules', name, 'package.json');
    const found = await manifest.catch(() => undefined);
    if (found?.version !== version) return installLocked(folder);
  }
}

await install();
const targets = await startTargets();
const table = new Table({
  head: ['client', ...targets.all.map(each => each.name)],
  style: { head: [], border: [] },
});
const counts = { passed: 0, failed: 0, failures: [] as string[] };

async function cell(client: Client, target: Target, home: string): Promise<string> {
  if (!chosen(client, target)) return '';
  console.error(`${client.name}: ${target.name} ...`);
  const verdicts: Verdict[] = judge(client, target, await client.run(target, home));
  const bad = verdicts.filter(each => each.problem !== undefined);
  counts.passed += verdicts.length - bad.length;
  counts.failed += bad.length;
  for (const { step, problem } of bad) counts.failures.push(`${client.name}: ${target.name}: ${step}: ${problem}`);
  return bad.length === 0 ? `${verdicts.length} ok` : `FAILED: ${bad.map(each => each.step).join(' ')}`;
}

try {
  for (const [index, client] of clients.entries()) {
    const home = (target: Target): string => join(targets.directory, `home-${index}-${target.name}`);
    const cells = await Promise.all(targets.all.map(target => cell(client, target, home(target))));
    if (cells.some(Boolean)) table.push([client.name, ...cells]);
  }
} finally {
  await targets.stop();
}
console.log(table.toString());
for (const each of counts.failures) console.log(each);
console.log(`${counts.passed} steps of clients passed, ${counts.failed} failed`);
if (values.json !== undefined) await writeFile(values.json, JSON.stringify(counts));
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
