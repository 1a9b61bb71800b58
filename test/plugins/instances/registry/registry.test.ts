import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { registryDirectory } from '../../../../plugins/instances/registry/directory.ts';
import { createProcessIdentity } from '../../../../plugins/instances/registry/process-identity.ts';
import { tempDir, waitFor } from '../../../helper.ts';
import { ended, idleProcess, input, testRegistry, writeRow } from './support.ts';

const posix = process.platform !== 'win32';

describe('the own row', () => {
  test('is one private file, and comes back from reading as it was published', async () => {
    const { registry, rows } = await testRegistry();
    const given = input({ scene: '/a.ma', documents: ['/a.ma'], metadata: { one: '1' } });
    const published = await registry.publish(given);
    const { rows: found, problems } = await registry.read();
    expect(problems).toEqual([]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ alive: true, row: { ...given, schema_version: 1, pid: process.pid } });
    expect(found[0]?.row).toEqual(published.row);
    expect(await readdir(rows)).toEqual([`${given.instance_id}.json`]);
    if (posix) {
      expect((await stat(rows)).mode & 0o777).toBe(0o700);
      expect((await stat(join(rows, `${given.instance_id}.json`))).mode & 0o777).toBe(0o600);
    }
    await published.remove();
    expect(await readdir(rows)).toEqual([]);
  });

  test('a heartbeat changes the time of the file and not a byte of it', async () => {
    const { registry, rows } = await testRegistry();
    const published = await registry.publish(input());
    const file = join(rows, `${published.row.instance_id}.json`);
    const text = await readFile(file, 'utf8');
    const { ino } = await stat(file);
    await utimes(file, 1000, 1000);
    await published.heartbeat();
    expect(await readFile(file, 'utf8')).toBe(text);
    expect((await stat(file)).ino).toBe(ino);
    const [entry] = (await registry.read()).rows;
    expect(Date.now() - (entry?.last_heartbeat ?? 0)).toBeLessThan(60_000);
  });

  test('a heartbeat brings a deleted file back, with its folder; nothing brings a removed row back', async () => {
    const { registry, directory } = await testRegistry();
    const published = await registry.publish(input());
    await rm(directory, { recursive: true });
    await published.heartbeat();
    expect((await registry.read()).rows).toHaveLength(1);
    await published.remove();
    await Promise.all([published.heartbeat(), published.update({ scene: 'x' })]);
    expect((await registry.read()).rows).toEqual([]);
  });

  test('updates made at once are all there', async () => {
    const { registry } = await testRegistry();
    const published = await registry.publish(input());
    await Promise.all(Array.from({ length: 20 }, (_, index) => published.update({ documents: [`${index}`] })));
    await published.update({ scene: '/b.ma' });
    const [entry] = (await registry.read()).rows;
    expect(entry?.row).toMatchObject({ documents: ['19'], scene: '/b.ma' });
  });
});

describe('the owner process', () => {
  test('lives, until it is killed', async () => {
    const { registry } = await testRegistry();
    const child = idleProcess();
    const { row } = await registry.publish(input({ pid: child.pid }));
    expect(registry.isAlive(row)).toBe(true);
    child.kill('SIGKILL');
    await ended(child);
    expect(registry.isAlive(row)).toBe(false);
    expect((await registry.read()).rows[0]?.alive).toBe(false);
  });

  test.runIf(process.platform === 'linux')('a reused process id is not the owner', async () => {
    const { registry } = await testRegistry();
    const { row } = await registry.publish(input());
    expect(row.extras.process_start).toEqual(expect.stringMatching(/^\d+$/));
    expect(registry.isAlive(row)).toBe(true);
    const reused = { ...row, extras: { ...row.extras, process_start: '1' } };
    expect(registry.isAlive(reused)).toBe(false);
  });

  test('nothing is known of a process of another machine, nor of a row without one', () => {
    const { isAlive, extras } = createProcessIdentity();
    expect(isAlive({ pid: null, host_pid: null, extras: {} })).toBeNull();
    expect(isAlive({ pid: 1, host_pid: null, extras: { ...extras, process_machine: 'another' } })).toBeNull();
  });

  test('a row goes with the host that it stands for', async () => {
    const { isAlive, extras } = createProcessIdentity();
    const host = idleProcess();
    const row = { pid: process.pid, host_pid: host.pid, extras };
    expect(isAlive(row)).toBe(true);
    host.kill('SIGKILL');
    await ended(host);
    expect(isAlive(row)).toBe(false);
  });
});

describe('garbage', () => {
  test('is moved aside, told once and does not hide the good rows', async () => {
    const { registry, directory, rows } = await testRegistry();
    const good = await writeRow(directory);
    const id = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000.json`;
    await writeFile(join(rows, id('1')), Buffer.alloc(4096));
    await writeFile(join(rows, id('2')), '{"instance_id":"2222');
    await writeFile(join(rows, id('3')), '[]');
    await writeFile(join(rows, id('4')), '');
    await writeFile(join(rows, id('5')), JSON.stringify({ instance_id: id('5').slice(0, -5), dcc_type: 'maya' }));
    await writeFile(join(rows, id('6')), `"${'x'.repeat(300_000)}"`);
    await symlink('/etc/hostname', join(rows, id('7')));
    await mkdir(join(rows, id('8')));
    const stranger = JSON.stringify({ ...input(), schema_version: 1 });
    await writeFile(join(rows, id('9')), stranger);
    const { rows: found, problems } = await registry.read();
    expect(found.map(each => each.row.instance_id)).toEqual([good]);
    const reasons = Object.fromEntries(problems.map(each => [each.file[0], each.reason]));
    expect(reasons).toEqual({
      1: 'the file contains NUL bytes',
      2: expect.stringContaining('not JSON'),
      3: expect.stringContaining('no JSON object'),
      4: 'the file is empty',
      5: expect.stringContaining('"host" is required'),
      6: expect.stringContaining('over the limit'),
      7: expect.stringContaining('symbolic link'),
      8: expect.stringContaining('directory'),
      9: expect.stringContaining('is of instance'),
    });
    expect(await readdir(rows)).toEqual([`${good}.json`]);
    expect(await readdir(join(directory, 'quarantine'))).toHaveLength(9);
    expect((await registry.read()).problems).toEqual([]);
  });

  test('a row of a newer program stays where it is, and is told once', async () => {
    const { registry, directory, rows } = await testRegistry();
    const id = await writeRow(directory, { schema_version: 2, port: 'elsewhere' });
    const { problems, rows: found } = await registry.read();
    expect(problems).toMatchObject([{ file: `${id}.json`, reason: expect.stringContaining('schema_version 2') }]);
    expect(found).toEqual([]);
    expect((await registry.read()).problems).toEqual([]);
    expect(await readdir(rows)).toEqual([`${id}.json`]);
  });

  test('rows are read loosely: older ones, times of both forms, unknown members', async () => {
    const { registry, directory } = await testRegistry();
    const times = { registered_at: { secs_since_epoch: 10, nanos_since_epoch: 500_000_000 }, last_heartbeat: 3 };
    await writeRow(directory, {
      schema_version: undefined,
      ...times,
      colour: 'red',
      metadata: { a: 1, b: {}, c: 'x' },
    });
    const { rows, problems } = await registry.read();
    expect(problems).toEqual([]);
    expect(rows[0]?.row).toMatchObject({ registered_at: 10.5, metadata: { a: '1', c: 'x' }, status: 'available' });
  });

  test('a thousand bad files are all moved, and the quarantine stays small', async () => {
    const { registry, directory, rows } = await testRegistry();
    const good = await writeRow(directory);
    await Promise.all(Array.from({ length: 1000 }, (_, index) => writeFile(join(rows, `${index}.json`), 'no')));
    const { rows: found, problems } = await registry.read();
    expect(found.map(each => each.row.instance_id)).toEqual([good]);
    expect(problems).toHaveLength(1000);
    expect((await readdir(join(directory, 'quarantine'))).length).toBeLessThanOrEqual(200);
  });

  test('more than two thousand rows: the rest is told, not read', async () => {
    const { registry, directory } = await testRegistry();
    for (let batch = 0; batch < 21; batch += 1) {
      await Promise.all(Array.from({ length: 100 }, () => writeRow(directory)));
    }
    const { rows, problems } = await registry.read();
    expect(rows).toHaveLength(2000);
    expect(problems).toMatchObject([{ reason: expect.stringContaining('100 of them are not read') }]);
    expect((await registry.read()).problems).toEqual([]);
  });
});

describe('the directory', () => {
  test.runIf(posix)('one that everybody may write to is refused', async () => {
    const directory = await tempDir();
    await chmod(directory, 0o777);
    await expect(testRegistry(Date.now, directory)).rejects.toMatchObject({ code: 'SVC_REGISTRY_UNSAFE' });
  });

  test('one that cannot be made is refused by name', async () => {
    const file = join(await tempDir(), 'file');
    await writeFile(file, '');
    await expect(testRegistry(Date.now, join(file, 'x'))).rejects.toMatchObject({ code: 'SVC_REGISTRY_UNWRITABLE' });
  });

  test('unless configured it lies in the temporary folder', () => {
    expect(registryDirectory(null).startsWith(join(tmpdir(), 'svc-registry'))).toBe(true);
    expect(registryDirectory('/somewhere')).toBe(join('/somewhere'));
  });

  test('is watched: rows that come, change and go are told, heartbeats are not', async () => {
    const { registry, rows, failures } = await testRegistry();
    let told = 0;
    const end = registry.watch(() => {
      told += 1;
    });
    onTestFinished(end);
    const published = await registry.publish(input());
    await waitFor(() => told === 1, 'the new row');
    await published.heartbeat();
    await published.update({ scene: '/c.ma' });
    await waitFor(() => told === 2, 'the change');
    await published.remove();
    await waitFor(() => told === 3, 'the removal');
    await rm(rows, { recursive: true });
    await waitFor(() => stat(rows).then(Boolean, () => false), 'the folder to be made again');
    const before = told;
    await registry.publish(input());
    await waitFor(() => told > before, 'a row in the new folder');
    expect(failures).toEqual([]);
  });
});
