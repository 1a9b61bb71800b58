/** Changes on disk of a registered project, told to clients: real files, a real endpoint. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolderWatch, mostFolders } from '../../../../../plugins/resources/schemes/openusd/folders.ts';
import { checkedProject } from '../../../../../plugins/resources/schemes/openusd/given.ts';
import { createInventory } from '../../../../../plugins/resources/schemes/openusd/inventory.ts';
import { waitFor } from '../../../../helper.ts';
import type { Json } from '../../../../spec/wire.ts';
import { pause, updatesOf } from '../../support.ts';
import { folderOf, sampleProject, served } from './support.ts';

const stage = 'shot.usda';
const layer = 'openusd://layers/light';
const usda = (...sublayers: string[]): string =>
  `#usda 1.0\n( subLayers = [${sublayers.map(each => `@${each}@`).join(', ')}] )\n`;

const listChanges = (messages: readonly { method?: string }[]): number =>
  messages.filter(each => each.method === 'notifications/resources/list_changed').length;

async function followed(project_root: string, ...uris: string[]) {
  const { wire, remove } = await served({ project_root, stage });
  const { messages } = await wire.stream();
  for (const uri of uris) await wire.result('resources/subscribe', { uri });
  // What is watched anew is looked at once more.
  await pause(300);
  const listed = async (): Promise<string[]> =>
    ((await wire.result('resources/list')).resources as Json[]).map(each => String(each.uri));
  return { wire, remove, messages, listed, file: (...path: string[]) => join(project_root, ...path) };
}

test('a layer that is written, or saved beside and renamed, is told to its subscribers; the list is as before [spec:notify:resource-updated]', async () => {
  const { messages, file } = await followed(await sampleProject(), layer, 'openusd://stage');
  await writeFile(file('layers', 'light.usda'), usda('../shot.usda', 'anim.usda', 'anim.usda'));
  await waitFor(() => updatesOf(messages, layer) === 1, 'the update of the written layer');
  await writeFile(file('layers', '.light.usda.tmp'), `${usda('../shot.usda', 'anim.usda')}# saved again\n`);
  await rename(file('layers', '.light.usda.tmp'), file('layers', 'light.usda'));
  await waitFor(() => updatesOf(messages, layer) === 2, 'the update of the renamed layer');
  expect(updatesOf(messages, 'openusd://stage')).toBe(0);
  expect(listChanges(messages)).toBe(0);
});

test('files that appear and disappear change the list, a burst of them a few times [spec:notify:resource-list-changed]', async () => {
  const names = Array.from({ length: 50 }, (_, n) => `late${n}.usda`);
  const root = await folderOf({ [stage]: usda(...names.map(each => `late/${each}`)) });
  const { messages, wire, file } = await followed(root, 'openusd://layers', 'openusd://layers/late7');
  const present = async (): Promise<number> => {
    const { contents } = await wire.result('resources/read', { uri: 'openusd://layers' });
    const { resources } = JSON.parse((contents as { text: string }[])[0]?.text ?? '') as { resources: Json[] };
    return resources.filter(each => (each.metadata as Json).status === 'present').length;
  };
  await mkdir(file('late'));
  for (const name of names) {
    await writeFile(file('late', name), usda());
    await pause(2);
  }
  await waitFor(() => updatesOf(messages, 'openusd://layers/late7') > 0, 'the layer that appeared');
  await waitFor(() => updatesOf(messages, 'openusd://layers') > 0 && listChanges(messages) > 0, 'the list');
  await waitFor(async () => (await present()) === 50, 'every file');
  await pause(400);
  const appeared = listChanges(messages);
  expect(appeared).toBeLessThan(20);
  await rm(file('late'), { recursive: true });
  await waitFor(() => listChanges(messages) > appeared, 'the end of the files');
  await waitFor(async () => (await present()) === 0, 'nothing present');
  // A folder that is deleted and there again is watched again.
  await pause(400);
  const gone = listChanges(messages);
  await mkdir(file('late'));
  await writeFile(file('late', 'late0.usda'), usda());
  await waitFor(() => listChanges(messages) > gone, 'the file in the new folder');
});

test('a stage that names another layer changes the list; who follows the layer that it dropped is told', async () => {
  const root = await folderOf({ [stage]: usda('a.usda'), 'a.usda': usda(), 'b.usda': usda() });
  const { messages, listed, file } = await followed(root, 'openusd://layers/a', 'openusd://stage');
  await writeFile(file(stage), usda('b.usda'));
  await waitFor(() => listChanges(messages) > 0, 'the list');
  await waitFor(() => updatesOf(messages, 'openusd://layers/a') > 0, 'the end of the layer');
  await waitFor(() => updatesOf(messages, 'openusd://stage') > 0, 'the stage');
  const uris = await listed();
  expect(uris).toContain('openusd://layers/b');
  expect(uris).not.toContain('openusd://layers/a');
  const seen = updatesOf(messages, 'openusd://layers');
  await writeFile(file('b.usda'), usda('c.usda'));
  await waitFor(async () => (await listed()).includes('openusd://layers/c'), 'the layer of the new layer');
  expect(updatesOf(messages, 'openusd://layers')).toBe(seen);
});

test('a further tile of a texture appears; other files of the folder are nobody’s business', async () => {
  const { messages, listed, file } = await followed(await sampleProject());
  await listed();
  await pause(300);
  await writeFile(file('assets', 'chair', 'tex', 'notes.txt'), 'x');
  await pause(300);
  expect(listChanges(messages)).toBe(0);
  await writeFile(file('assets', 'chair', 'tex', 'skin.1003.exr'), 'c');
  await waitFor(() => listChanges(messages) === 1, 'the tile');
  expect(await listed()).toContain('openusd://assets/skin.1003');
});

test('after the project is disposed of nothing is told', async () => {
  const { messages, remove, file } = await followed(await sampleProject(), layer);
  await remove();
  await waitFor(() => listChanges(messages) === 1, 'the end of the project');
  await writeFile(file('layers', 'light.usda'), usda());
  await pause(400);
  expect(updatesOf(messages, layer)).toBe(0);
  expect(listChanges(messages)).toBe(1);
});

test('thousands of files in a folder cost one watch; folders are watched up to a bound, those of layers first', async () => {
  const gaps: unknown[] = [];
  const watch = createFolderWatch({ onTouch: () => undefined, onGap: reason => gaps.push(reason) });
  const stockOf = async (files: readonly string[]) => {
    const project_root = await folderOf(Object.fromEntries([stage, ...files].map(each => [each, usda()])));
    return createInventory(await checkedProject({ project_root, stage, assets: files }))();
  };
  try {
    expect(await watch.follow(await stockOf(Array.from({ length: 3000 }, (_, n) => `tex/${n}.png`)))).toBe(true);
    expect([watch.size, gaps.length]).toEqual([2, 0]);
    const spread = await stockOf(Array.from({ length: mostFolders + 50 }, (_, n) => `tex${n}/a.png`));
    await watch.follow(spread);
    await watch.follow(spread);
    expect([watch.size, gaps.length]).toEqual([mostFolders, 1]);
  } finally {
    watch.close();
  }
  expect(watch.size).toBe(0);
});
