/** Threads whose work nobody waits for let the others go first; the process stays as it was. */
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { threadEntry } from '../../kernel/index.ts';
import { openRowsWriter } from '../../plugins/audit/records/rows-writer.ts';
import { openReader } from '../../plugins/traffic/reader.ts';
import { tempDir } from '../helper.ts';

/** How many threads of this process stand behind its first one: proc_pid_stat(5), field 19. */
function behind(): number {
  const tasks = readdirSync('/proc/self/task').map(each => readFileSync(`/proc/self/task/${each}/stat`, 'utf8'));
  const nice = tasks.map(each => Number(each.slice(each.lastIndexOf(')') + 2).split(' ')[16]));
  return nice.filter(each => each > getPriority()).length;
}

test.runIf(process.platform === 'linux')('what writes records and reads traffic lets the calls go first', async () => {
  const folder = await tempDir();
  const [own, before] = [getPriority(), behind()];
  const writer = await openRowsWriter({
    entry: await threadEntry('records-rows', 'plugins/audit/records/rows-thread.ts'),
    data: {
      ...{ audit: join(folder, 'audit.jsonl'), traces: join(folder, 'traces.jsonl'), timeOrigin: 0 },
      caps: { maxRows: 10, maxBytes: 1e6 },
    },
    onProblem: (_, reason) => expect.unreachable(reason),
    onRecovered: () => undefined,
  });
  expect(behind()).toBe(before + 1);
  const settings = { capacity: 10, maxBodyBytes: 1000, filters: { include: [], exclude: [] }, replacements: [] };
  const reader = await openReader({ data: { settings, files: [] }, onHandled: () => undefined, tell: () => undefined });
  expect(behind()).toBe(before + 2);
  expect(getPriority()).toBe(own);
  await Promise.all([writer.close(), reader.close()]);
});
