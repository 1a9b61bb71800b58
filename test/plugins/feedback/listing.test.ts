/** Stored feedback as a gateway reads it: what other processes wrote, what is broken, how much, how fast. */
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFeedbackRecords, entryOf } from '../../../plugins/feedback/records.ts';
import type { Finding } from '../../../plugins/index.ts';
import { tempDir } from '../../helper.ts';
import { feedbackGateway, finding, type Json } from './support.ts';

const now = Date.now() / 1000;
const line = (id: string, fields: Json = {}): string => JSON.stringify({ id, timestamp: now - 60, ...fields });

/** A gateway over files in the feedback folder. */
async function over(files: Record<string, string | Buffer>) {
  const gateway = await feedbackGateway();
  const folder = join(gateway.registry_dir, 'feedback');
  await mkdir(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const list = async (query = '') => (await gateway.list(query)).json as Json & { entries: Json[] };
  const ids = async (query: string) => (await list(query)).entries.map(each => each.id);
  return { ...gateway, folder, list, ids };
}

test('newest first, each id once, whatever file it stands in; broken lines are counted [spec:limit:finding]', async () => {
  const { list } = await over({
    'maya-1.jsonl': `${line('b', { timestamp: now - 5 })}\n${line('a', { timestamp: now - 9 })}\n{"id":"torn","ti`,
    'maya-1.jsonl.1': `${line('old', { timestamp: now - 100 })}\nno json\n[]\n{"id":1,"timestamp":2}\n`,
    'gateway-2.jsonl': `${line('a', { timestamp: now - 9 })}\n\n${line('c', { timestamp: now - 1, dcc_type: 'nuke' })}\n`,
    'blender-3.jsonl': Buffer.concat([Buffer.from([0xff, 10]), Buffer.from(`{"x":"${'y'.repeat(1 << 20)}"}\n`)]),
    'notes.txt': 'not ours',
  });
  const { entries, ...counts } = await list();
  expect(counts).toEqual({
    ...{ success: true, source: 'registry-jsonl', total: 4, count: 4, truncated: false },
    ...{ skipped_invalid: 6, deduplicated: 1, files_scanned: 4 },
    filters: { range: '7d', dcc: null, severity: null, limit: 100 },
  });
  expect(entries.map(each => [each.id, each.dcc_type])).toEqual([
    ['c', 'nuke'],
    ['b', 'maya'],
    ['a', expect.stringMatching(/^(maya|gateway)$/)],
    ['old', 'maya'],
  ]);
});

test('by range, host type, severity, and no more than asked for', async () => {
  const hour = 3600;
  const { ids, list } = await over({
    'Maya-1.jsonl': [
      line('now', { severity: 'blocker' }),
      line('hours', { timestamp: now - 2 * hour, severity: 'blocked' }),
      line('days', { timestamp: now - 48 * hour, severity: 'degraded' }),
      line('weeks', { timestamp: now - 400 * hour, severity: 'suggestion' }),
      line('else', { dcc_type: 'nuke', timestamp: now - 61, severity: 'suggestion' }),
    ].join('\n'),
  });
  expect(await ids('?range=1h')).toEqual(['now', 'else']);
  expect(await ids('?range=24h&dcc=MAYA')).toEqual(['now', 'hours']);
  expect(await ids('')).toEqual(['now', 'else', 'hours', 'days']);
  expect(await ids('?range=all&severity=suggestion')).toEqual(['else', 'weeks']);
  expect(await ids('?severity=blocked')).toEqual(['now', 'hours']);
  expect(await ids('?severity=blocker')).toEqual(['now', 'hours']);
  expect(await ids('?dcc_type=nuke')).toEqual(['else']);
  const sameTime = await over({ 'maya-1.jsonl': ['f', 'e', 'd', 'c', 'b', 'a'].map(id => line(id)).join('\n') });
  expect(await sameTime.ids('?limit=2')).toEqual(['a', 'b']);
  expect(await list('?range=all&limit=2')).toMatchObject({
    total: 5,
    count: 2,
    truncated: true,
    filters: { limit: 2 },
  });
});

test.each([
  ['?range=9d', /"range" must be one of 1h, 24h, 7d, all/],
  ['?severity=bad', /"severity" must be one of/],
  ['?limit=0', /"limit" must be a whole number/],
  ['?limit=1001', /"limit"/],
  ['?limit=1e2', /"limit"/],
  ['?dcc=', /"dcc" is empty/],
  ['?dcc=a&dcc=b', /"dcc" stands there twice/],
  ['?order=up', /"order" is not a parameter/],
])('%s is refused', async (query, message) => {
  const { list } = await feedbackGateway();
  const { status, json } = await list(query);
  expect([status, json.error]).toEqual([
    400,
    { kind: 'invalid-feedback-query', message: expect.stringMatching(message) },
  ]);
});

test('without a folder there is nothing; what cannot be read is an error and no part of the truth', async () => {
  const { list, registry_dir } = await feedbackGateway();
  expect((await list()).json).toMatchObject({ total: 0, files_scanned: 0, entries: [] });
  const failing = async (reason: RegExp) =>
    expect([(await list()).status, (await list()).json.error]).toEqual([
      500,
      { kind: 'feedback-read-failed', message: expect.stringMatching(reason) },
    ]);
  const folder = join(registry_dir, 'feedback');
  await writeFile(folder, 'in the way');
  await failing(/ENOTDIR/);
});

test('scan bounds: files, bytes of one, and things that are no files', async () => {
  const many = await over(Object.fromEntries(Array.from({ length: 1025 }, (_, n) => [`maya-${n}.jsonl`, ''])));
  expect(await many.list()).toMatchObject({
    error: { kind: 'feedback-read-failed', message: expect.stringMatching(/1024 files/) },
  });
  const large = await over({ 'maya-1.jsonl': Buffer.alloc((8 << 20) + 1, 10) });
  expect(await large.list()).toMatchObject({ error: { message: expect.stringMatching(/larger than 8388608 bytes/) } });
  const strange = await over({});
  await mkdir(join(strange.folder, 'maya-1.jsonl'));
  expect(await strange.list()).toMatchObject({ error: { message: expect.stringMatching(/no regular file/) } });
});

test.skipIf(process.platform === 'win32')('a link is not followed, a pipe not waited for', async () => {
  const { list, folder } = await over({});
  const elsewhere = join(await tempDir(), 'x.jsonl');
  await writeFile(elsewhere, line('stolen'));
  await symlink(elsewhere, join(folder, 'maya-1.jsonl'));
  expect(await list()).toMatchObject({ error: { message: expect.stringMatching(/no regular file/) } });
  const piped = await over({});
  execFileSync('mkfifo', [join(piped.folder, 'maya-1.jsonl')]);
  expect(await piped.list()).toMatchObject({ error: { message: expect.stringMatching(/no regular file/) } });
});

test('a hundred thousand records are listed without being held, one more match is too many', async () => {
  const entry = (index: number) =>
    JSON.stringify(entryOf(finding as Finding, `id-${index}`, (now - 86_400 + index / 2) * 1000));
  const files: Record<string, string> = {};
  const perFile = 5000;
  for (let file = 0; file < 20; file += 1) {
    const lines = Array.from({ length: perFile }, (_, index) => entry(file * perFile + index));
    files[`maya-${file}.jsonl`] = `${lines.join('\n')}\n`;
  }
  const { list, folder } = await over(files);
  const before = process.memoryUsage().rss;
  const begun = performance.now();
  const { entries, total } = await list();
  expect([total, entries.length, entries[0]?.id, entries[99]?.id]).toEqual([100_000, 100, 'id-99999', 'id-99900']);
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 << 20);
  await writeFile(join(folder, 'maya-99.jsonl'), entry(100_000));
  expect(await list()).toMatchObject({ error: { message: expect.stringMatching(/more than 100000 records match/) } });
  expect(await list('?range=1h')).toMatchObject({ success: true });
});

test('the oldest files of processes go before they are too many to be read', async () => {
  const { list, folder, registry_dir } = await over(
    Object.fromEntries(
      Array.from({ length: 1024 }, (_, n) => [`maya-${n}.jsonl`, n === 5 ? '' : `${line(`m${n}`)}\n`]),
    ),
  );
  const records = createFeedbackRecords(registry_dir, 'nuke');
  await records.append(entryOf(finding as Finding, 'new', Date.now()));
  await records.close();
  const { total, files_scanned, entries } = await list('?limit=1');
  expect(entries[0]?.id).toBe('new');
  expect([Number(total) > 1000, Number(files_scanned) <= 1024]).toEqual([true, true]);
  expect(folder).toContain('feedback');
});
