import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schemeOpenusdPlugin } from '../../../../../plugins/resources/schemes/openusd/index.ts';
import { errorOf, readJson, resourceServer } from '../../support.ts';
import { entriesOf, folderOf, link, served } from './support.ts';

const secret = '#usda 1.0\n(subLayers = [@found-by-reading.usda@])\n';

/** A folder with a project in `root` and what it must not see beside it. */
const besides = (stage: string) =>
  folderOf({ 'root/a.usda': stage, 'outside/secret.usda': secret, 'outside/secret.png': 'secret' });

test('paths outside project_root are reported as outside and never read: "..", absolute, remote, symlinks out', async () => {
  const folder = await besides('');
  const written = [
    '../outside/secret.usda',
    join(folder, 'outside', 'secret.usda'),
    'https://example.com/x.usda',
    'file:///etc/passwd',
    'linked.usda',
    'linked-folder/secret.usda',
    'linked-folder/not-there.usda',
    './linked-folder/secret.png',
    'C:\\windows\\secret.usda',
  ];
  await writeFile(join(folder, 'root', 'a.usda'), `#usda 1.0\n(subLayers = [${written.map(each => `@${each}@`)}])`);
  await link(join(folder, 'outside', 'secret.usda'), join(folder, 'root', 'linked.usda'));
  await link(join(folder, 'outside'), join(folder, 'root', 'linked-folder'));
  const { wire } = await served({ project_root: join(folder, 'root'), stage: 'a.usda' });
  const entries = [...(await entriesOf(wire, 'layers')), ...(await entriesOf(wire, 'assets'))];
  expect(entries).toHaveLength(written.length);
  for (const entry of entries) {
    expect(entry.metadata.status, entry.name).toBe('outside');
    expect(entry).not.toHaveProperty('file_ref');
    expect(entry).not.toHaveProperty('path');
    expect(await errorOf(wire, 'resources/read', { uri: entry.uri })).toMatchObject({
      number: -32602,
      code: 'SVC_OPENUSD_OUTSIDE',
    });
  }
});

test('".." within the root and links within the root are followed; an absolute path below the root too', async () => {
  const root = await folderOf({ 'shots/a.usda': '', 'lib/x.usda': '', 'lib/y.usda': '' });
  await link(join(root, 'lib', 'y.usda'), join(root, 'shots', 'y.usda'));
  const text = `#usda 1.0\n(subLayers = [@../lib/x.usda@, @y.usda@, @${join(root, 'lib', 'x.usda')}@])`;
  await writeFile(join(root, 'shots', 'a.usda'), text);
  const { wire } = await served({ project_root: root, stage: 'shots/a.usda' });
  expect((await entriesOf(wire, 'layers')).map(each => [each.name, each.metadata.status])).toEqual([
    ['x.usda', 'present'],
    ['y.usda', 'present'],
  ]);
});

test('a root that is itself a link works, and a file that becomes a link out is refused', async () => {
  const folder = await besides('#usda 1.0\n(subLayers = [@b.usda@])');
  const b = join(folder, 'root', 'b.usda');
  await writeFile(b, '#usda 1.0\n');
  await link(join(folder, 'root'), join(folder, 'alias'));
  const { wire } = await served({ project_root: join(folder, 'alias'), stage: join(folder, 'alias', 'a.usda') });
  expect((await entriesOf(wire, 'layers'))[0]).toMatchObject({ name: 'b.usda', metadata: { status: 'present' } });
  await rename(b, `${b}.old`);
  await link(join(folder, 'outside', 'secret.usda'), b);
  expect(await errorOf(wire, 'resources/read', { uri: 'openusd://layers/b' })).toMatchObject({
    code: 'SVC_OPENUSD_OUTSIDE',
  });
  expect(await entriesOf(wire, 'layers')).toHaveLength(1);
});

test('a project whose own paths lead outside, or that is misdescribed, is refused', async () => {
  const folder = await besides('');
  await link(join(folder, 'outside', 'secret.usda'), join(folder, 'root', 'linked.usda'));
  const { app } = await resourceServer([], {}, [schemeOpenusdPlugin]);
  const project = { project_root: join(folder, 'root'), stage: 'a.usda' };
  const refused = (more: object) => expect(app.schemeOpenusd.register({ ...project, ...more } as never)).rejects;
  for (const path of ['../outside/secret.usda', 'linked.usda', join(folder, 'outside', 'secret.usda')]) {
    await refused({ stage: path }).toMatchObject({ code: 'SVC_OPENUSD_OUTSIDE' });
    await refused({ layers: [path] }).toMatchObject({ code: 'SVC_OPENUSD_OUTSIDE' });
    await refused({ packages: [{ path }] }).toMatchObject({ code: 'SVC_OPENUSD_OUTSIDE' });
  }
  const wrong = [
    { stage: 'none.usda' },
    { stage: '.' },
    { stage: undefined },
    { stage: 'a\0.usda' },
    { project_root: join(folder, 'none') },
    { project_root: 5 },
    { layers: 'a.usda' },
    { layers: [null] },
    { layers: [{}] },
    { validation: [{ name: 5 }] },
    { project_label: '' },
  ];
  for (const each of wrong) await refused(each).toMatchObject({ code: 'SVC_OPENUSD_BAD_PROJECT' });
  await expect(app.schemeOpenusd.register(null as never)).rejects.toMatchObject({ code: 'SVC_OPENUSD_BAD_PROJECT' });
});

test('a pipe, a folder and a vanished stage are no files: an error, never a hang', async () => {
  const root = await folderOf({ 'a.usda': '#usda 1.0\n(subLayers = [@pipe.usda@, @folder.usda@])' });
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(root, 'pipe.usda')]);
  await mkdir(join(root, 'folder.usda'));
  const { wire } = await served({ project_root: root, stage: 'a.usda' });
  expect(await entriesOf(wire, 'layers')).toHaveLength(2);
  for (const uri of ['openusd://layers/pipe', 'openusd://layers/folder']) {
    expect(await errorOf(wire, 'resources/read', { uri })).toMatchObject({ code: 'SVC_OPENUSD_MISSING' });
  }
  await rm(join(root, 'a.usda'));
  expect(await errorOf(wire, 'resources/read', { uri: 'openusd://stage' })).toMatchObject({
    code: 'SVC_OPENUSD_MISSING',
  });
  expect(await readJson(wire, 'openusd://layers')).toMatchObject({ count: 0 });
});

test('a file over max_resource_bytes is refused before it is read', async () => {
  const root = await folderOf({ 'a.usda': 'x'.repeat(2000) });
  const { wire } = await served({ project_root: root, stage: 'a.usda' }, { max_resource_bytes: 1024 });
  expect(await errorOf(wire, 'resources/read', { uri: 'openusd://stage' })).toMatchObject({
    number: -32603,
    code: 'SVC_OPENUSD_TOO_LARGE',
  });
});
