/** Records on their way to the thread that writes them: what it cannot be given is lost and counted, the others are there. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { threadEntry } from '../../../kernel/index.ts';
import { openRowsWriter } from '../../../plugins/audit/records/rows-writer.ts';
import { tempDir } from '../../helper.ts';
import { record } from './sample.ts';

test('rows of both files, with the clock of the thread that took the moments; a loss is told once and counted', async () => {
  const folder = await tempDir();
  const data = {
    ...{ audit: join(folder, 'audit.jsonl'), traces: join(folder, 'traces.jsonl') },
    ...{ caps: { maxRows: 100, maxBytes: 1e6 }, timeOrigin: Date.UTC(2030, 0, 1) },
  };
  const problems: string[] = [];
  const writer = await openRowsWriter({
    entry: await threadEntry('records-rows', 'plugins/audit/records/rows-thread.ts'),
    data,
    onProblem: (_, reason) => problems.push(reason),
    onRecovered: () => undefined,
  });
  for (const name of ['a', 'b']) writer.add(record(name));
  await writer.settled();
  writer.add(record('c', 1n));
  await writer.settled();
  writer.add(record('d', 1n));
  await writer.settled();
  writer.add(record('e'));
  await writer.close();
  expect(writer.dropped).toBe(2);
  expect(problems).toEqual([expect.stringMatching(/BigInt/)]);
  const rows = async (file: string) =>
    (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
  const audit = await rows(data.audit);
  expect(audit.map(each => [each.request_id, each.client_platform, each.parent_span_id])).toEqual(
    ['a', 'b', 'e'].map(each => [each, 'studio/2', 'b'.repeat(16)]),
  );
  expect(audit[0].token_accounting).toMatchObject({ json: { bytes: 7 }, toon: { bytes: 4 } });
  const traces = await rows(data.traces);
  expect(traces.map(each => each.started_at)).toEqual(Array.from({ length: 3 }, () => '2030-01-01T00:00:00.001Z'));
  expect(JSON.stringify([audit, traces])).not.toContain('session=1');
});
