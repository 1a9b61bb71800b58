/** Resources that depend on where the host runs: its window, and its OpenUSD project. */
import { chmod, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { expect, onTestFinished } from 'vitest';
import { tempDir, waitFor } from '../helper.ts';
import { createServer, quiet, startInside } from './fixture.ts';
import { verifies } from './verifies.ts';
import { connect, type Json, type Wire } from './wire.ts';

const urisOf = async (wire: Wire): Promise<unknown[]> =>
  ((await wire.result('resources/list')) as { resources: Json[] }).resources.map(({ uri }) => uri);

const contentsOf = async (wire: Wire, uri: string): Promise<Json> =>
  ((await wire.result('resources/read', { uri })) as { contents: [Json] }).contents[0];

/** A session of a server that runs with `env`. */
async function startedWith(env: Record<string, string | undefined>): Promise<Wire> {
  const service = await createServer(quiet, { env }).start();
  onTestFinished(() => service.shutdown());
  return connect(service.mcpUrl());
}

/** A folder with a capture program that gives `picture`, as `import` does on a display. */
async function captureProgram(picture: Uint8Array): Promise<string> {
  const folder = await tempDir();
  await writeFile(join(folder, 'picture.png'), picture);
  await writeFile(join(folder, 'import'), `#!/bin/sh\nexec /bin/cat ${join(folder, 'picture.png')}\n`);
  await chmod(join(folder, 'import'), 0o755);
  return folder;
}

verifies(['scheme:capture'], 'capture://current_window is listed only where a capture backend exists', async () => {
  const uri = 'capture://current_window';
  const picture = encode({ width: 2, height: 1, data: new Uint8Array([255, 0, 0, 0, 255, 0]), channels: 3 });
  const folder = await captureProgram(picture);
  for (const env of [{}, { PATH: folder }, { DISPLAY: ':77', PATH: join(folder, 'nothing') }]) {
    const without = await startedWith(env);
    expect(await urisOf(without)).not.toContain(uri);
    expect((await without.request('resources/read', { uri })).error?.code).toBe(-32002);
  }
  // The one desktop system that has a backend.
  if (process.platform !== 'linux') return;
  const wire = await startedWith({ DISPLAY: ':77', PATH: folder });
  await waitFor(async () => (await urisOf(wire)).includes(uri), 'the window to be listed', 15_000);
  expect(await contentsOf(wire, uri)).toEqual({
    uri,
    mimeType: 'image/png',
    blob: Buffer.from(picture).toString('base64'),
  });
});

verifies(
  ['scheme:openusd', 'usd:uris', 'usd:registration', 'usd:entry'],
  'the openusd:// family serves the stage and the manifests of a project',
  async () => {
    const project_root = await realpath(await tempDir());
    const stage = '#usda 1.0\n( subLayers = [@layers/light.usda@] )\n';
    const light = '#usda 1.0\ndef Shader "S" { asset inputs:file = @../wood.png@ }\n';
    await mkdir(join(project_root, 'layers'));
    await writeFile(join(project_root, 'shot.usda'), stage);
    await writeFile(join(project_root, 'layers', 'light.usda'), light);
    await writeFile(join(project_root, 'wood.png'), 'png');
    const { app, connect: open } = await startInside();
    const remove = await app.schemeOpenusd.register({
      project_root,
      stage: 'shot.usda',
      layers: ['layers/light.usda'],
      project_label: 'Shot 10',
      materials: [{ name: 'Wood' }],
      validation: [{ name: 'usdchecker', content: { errors: [] } }],
    });
    const wire = await open();
    const families = ['layers', 'assets', 'materials', 'validation', 'snapshots', 'packages'];
    expect(await urisOf(wire)).toEqual(
      expect.arrayContaining(['openusd://stage', ...families.map(each => `openusd://${each}`)]),
    );
    expect(await contentsOf(wire, 'openusd://stage')).toEqual({
      uri: 'openusd://stage',
      mimeType: 'model/vnd.usd.usda+text',
      text: stage,
    });
    const manifest = async (family: string) => {
      const { mimeType, text } = await contentsOf(wire, `openusd://${family}`);
      expect(mimeType).toBe('application/json');
      return JSON.parse(String(text)) as { count: number; resources: Json[] };
    };
    const [layers, assets] = [await manifest('layers'), await manifest('assets')];
    for (const [{ resources }, kind] of [
      [layers, 'layer'],
      [assets, 'asset'],
    ] as const) {
      expect(resources).toEqual([
        expect.objectContaining({
          uri: expect.stringMatching(/^openusd:/),
          name: expect.any(String),
          description: expect.any(String),
          mimeType: expect.any(String),
          kind,
          project_root_label: 'Shot 10',
          file_ref: expect.objectContaining({ uri: expect.stringMatching(/^file:/) }),
        }),
      ]);
    }
    expect((await manifest('materials')).count).toBe(1);
    expect((await manifest('validation')).count).toBe(1);
    for (const family of ['snapshots', 'packages']) expect((await manifest(family)).count).toBe(0);
    expect(await contentsOf(wire, 'openusd://layers/light')).toMatchObject({ text: light });
    await remove();
    expect((await wire.request('resources/read', { uri: 'openusd://stage' })).error?.code).toBe(-32002);
  },
);
