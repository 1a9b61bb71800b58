/** Directories that a registry cannot have, or should not: the server runs on, and says so once. */
import { execFileSync } from 'node:child_process';
import { chmod, chown, lchown, mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { directoryIdentity } from '../../../../plugins/instances/registry/directory.ts';
import { tempDir, waitFor } from '../../../helper.ts';
import { testServer } from '../../../server.ts';
import { testRegistry, writeRow } from './support.ts';

const root = process.getuid?.() === 0;
const another = 65534;

async function startedIn(registry_dir: string, heartbeat_secs = 1) {
  const server = testServer('ambient', { registry_dir, heartbeat_secs });
  const service = await server.start();
  const serves = async (): Promise<boolean> => (await fetch(new URL('/health', service.mcpUrl()))).ok;
  return { server, service, serves };
}

const rows = (directory: string): Promise<string[]> => readdir(join(directory, 'instances')).catch(() => []);

describe('a registry directory', () => {
  test.skipIf(process.platform === 'win32')('that is a link of this user is the one it leads to', async () => {
    const folder = await tempDir();
    const [real, link] = [join(folder, 'real'), join(folder, 'link')];
    await mkdir(real, { mode: 0o700 });
    await symlink(real, link);
    const { service } = await startedIn(link);
    expect(await rows(real)).toEqual([`${service.instance_id}.json`]);
    expect(directoryIdentity(link)).toBe(directoryIdentity(real));
    expect(directoryIdentity(folder)).not.toBe(directoryIdentity(real));
  });

  test.runIf(root)('that is a link of another user is not followed', async () => {
    const folder = await tempDir();
    const [real, link] = [join(folder, 'real'), join(folder, 'link')];
    await mkdir(real, { mode: 0o700 });
    await symlink(real, link);
    await lchown(link, another, another);
    const { service, serves } = await startedIn(link);
    expect([service.instance_id, await serves()]).toEqual([null, true]);
    expect(await rows(real)).toEqual([]);
  });

  test.runIf(root)('of another user is not used', async () => {
    const directory = await tempDir();
    await chown(directory, another, another);
    const { service, serves } = await startedIn(directory);
    expect([service.instance_id, await serves()]).toEqual([null, true]);
    expect(await rows(directory)).toEqual([]);
  });

  test.skipIf(process.platform === 'win32').each([
    ['its group', 0o770],
    ['everybody', 0o707],
  ])('that %s may write to is not used, be it reached by a link, until that is mended', async (_who, mode) => {
    const folder = await tempDir();
    const [real, link] = [join(folder, 'real'), join(folder, 'link')];
    await mkdir(real);
    await chmod(real, mode);
    await symlink(real, link);
    for (const directory of [real, link]) {
      const { service, serves } = await startedIn(directory);
      expect([service.instance_id, await serves()]).toEqual([null, true]);
      expect(await rows(real)).toEqual([]);
    }
    const { service } = await startedIn(real);
    await chmod(real, 0o700);
    await waitFor(() => service.instance_id !== null, 'the row');
  });

  test('that is a file is refused; once it is gone the row is there', async () => {
    const directory = join(await tempDir(), 'registry');
    await writeFile(directory, 'not a directory');
    const { service, serves } = await startedIn(directory);
    expect([service.instance_id, await serves()]).toEqual([null, true]);
    await rm(directory);
    await waitFor(() => service.instance_id !== null, 'the row');
    expect(await rows(directory)).toEqual([`${service.instance_id}.json`]);
  });

  test.runIf(root && process.platform === 'linux')(
    'on a full disk: the server serves, and its row is there when space returns',
    async context => {
      const directory = await tempDir();
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs', directory], { stdio: 'ignore' });
      } catch {
        context.skip('this machine lets nobody mount');
      }
      onTestFinished(() => void execFileSync('umount', ['-l', directory]));
      const ballast = join(directory, 'ballast');
      await writeFile(ballast, Buffer.alloc(128 * 1024)).catch(() => undefined);
      const { service, serves } = await startedIn(directory);
      expect([service.instance_id, await serves()]).toEqual([null, true]);
      const parts = async (): Promise<string[]> => (await rows(directory)).filter(each => each.endsWith('.part'));
      expect(await parts()).toEqual([]);
      await rm(ballast);
      await waitFor(async () => (await rows(directory)).some(each => each.endsWith('.json')), 'the row');
    },
  );
});

test('a heartbeat from the future counts from when it was seen: the clock was set back', async () => {
  const { directory, registry } = await testRegistry();
  const id = await writeRow(directory, { pid: null });
  const ahead = Date.now() / 1000 + 86_400;
  const file = join(directory, 'instances', `${id}.json`);
  await utimes(file, ahead, ahead);
  const seen = async (): Promise<number | undefined> => (await registry.read()).rows[0]?.last_heartbeat;
  const first = await seen();
  expect(first).toBeLessThanOrEqual(Date.now());
  await new Promise(resolve => setTimeout(resolve, 20));
  expect(await seen()).toBe(first);
  await utimes(file, ahead + 5, ahead + 5);
  expect(await seen()).toBeGreaterThan(first as number);
});
