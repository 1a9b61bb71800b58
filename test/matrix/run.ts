/**
 * `npm run matrix -- [<node>...]`: packs the built package, installs it into an empty folder under each Node (a major
 * or a version; default: every supported major) and tries it there. Prints a table; ends with 1 when something failed.
 * Without a registry there is nothing to install: what cannot be fetched is skipped and said so. `--json <file>` also
 * writes the counts and what failed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { builtFile } from '../bench/peer.ts';
import { checks } from './checks.ts';
import { type Consumer, install, pack } from './consumer.ts';
import { Offline } from './npm.ts';
import { obtainRuntime } from './runtimes.ts';

interface Column {
  title: string;
  /** One per check. */
  cells: string[];
}

const every = (cell: string): string[] => checks.map(() => cell);
const lines: string[] = [];
const tell = (node: string, what: string, error: unknown): void => {
  lines.push(`node ${node}: ${what}\n  ${error instanceof Error ? error.message : String(error)}`);
};

async function judge(consumer: Consumer): Promise<string[]> {
  const cells: string[] = [];
  for (const { name, run } of checks) {
    try {
      await run(consumer);
      cells.push('ok');
    } catch (error) {
      cells.push('FAILED');
      tell(consumer.runtime.version, name, error);
    } finally {
      await consumer.close();
    }
  }
  return cells;
}

async function column(wanted: string, tarball: string, folder: string): Promise<Column> {
  console.error(`node ${wanted} ...`);
  try {
    const runtime = await obtainRuntime(wanted, folder);
    const consumer = await install(tarball, runtime, join(folder, `consumer-${wanted}`));
    return { title: `node ${runtime.version}`, cells: await judge(consumer) };
  } catch (error) {
    const skipped = error instanceof Offline;
    tell(wanted, skipped ? 'skipped' : 'cannot be tried', error);
    return { title: `node ${wanted}`, cells: every(skipped ? 'skipped' : 'FAILED') };
  }
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
builtFile('svc-server.js');
const folder = await mkdtemp(join(tmpdir(), 'svc-matrix-'));
try {
  const tarball = await pack(folder);
  const columns: Column[] = [];
  for (const wanted of positionals.length > 0 ? positionals : ['20', '22', '24', '26']) {
    columns.push(await column(wanted, tarball, folder));
  }
  const head = ['', ...columns.map(each => each.title)];
  const table = new Table({ head, style: { head: [], border: [] } });
  checks.forEach(({ name }, index) => {
    table.push([name, ...columns.map(each => each.cells[index] ?? '')]);
  });
  console.log([table.toString(), ...lines].join('\n'));
  const counted = (cell: string): number => columns.flatMap(each => each.cells).filter(each => each === cell).length;
  const failed = counted('FAILED');
  const counts = { passed: counted('ok'), failed, failures: failed > 0 ? lines : [] };
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(counts));
  if (counts.failed > 0) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
