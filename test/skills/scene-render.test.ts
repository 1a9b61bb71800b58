/** Pictures of scene-inspector, looked at pixel by pixel. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DecodedPng, decode } from 'fast-png';
import { expect, test } from 'vitest';
import renderThumbnail from '../../skills/examples/scene-inspector/tools/render-thumbnail.ts';
import renderTurntable from '../../skills/examples/scene-inspector/tools/render-turntable.ts';
import { tempDir } from '../helper.ts';
import { envelopeOf, samplePath, skillContext, writeCube } from './skill-context.ts';

type Blocks = { content: { type: string; data: string; mimeType: string }[] };

const pixel = ({ data, width, channels }: DecodedPng, x: number, y: number) =>
  [...data.slice((y * width + x) * channels, (y * width + x + 1) * channels)] as [number, number, number, number];

async function picture(args: Record<string, unknown>): Promise<DecodedPng> {
  const result = (await renderThumbnail(args, skillContext())) as Blocks;
  const image = result.content.find(block => block.type === 'image');
  expect(image?.mimeType).toBe('image/png');
  return decode(Buffer.from(image?.data ?? '', 'base64'));
}

test('a red cube is red in the middle and transparent at the corners', async () => {
  const path = await writeCube(await tempDir());
  const png = await picture({ path, width: 96, height: 64, background: 'transparent' });
  expect([png.width, png.height, png.channels]).toEqual([96, 64, 4]);
  const [r, g, b, a] = pixel(png, 48, 32);
  expect(a).toBe(255);
  expect(r).toBeGreaterThan(2 * Math.max(g, b));
  for (const [x, y] of [
    [0, 0],
    [95, 0],
    [0, 63],
    [95, 63],
  ] as const)
    expect(pixel(png, x, y)[3]).toBe(0);
});

test('the object fills the frame and stays inside it from every side', async () => {
  const path = await writeCube(await tempDir());
  for (const [azimuth, elevation] of [
    [0, 0],
    [45, 0],
    [30, 89],
    [200, -60],
  ] as const) {
    const png = await picture({ path, width: 64, azimuth, elevation, background: 'transparent' });
    let drawn = 0;
    for (let i = 0; i < 64; i++) {
      for (let k = 0; k < 64; k++) if (pixel(png, i, k)[3] > 0) drawn++;
      for (const [x, y] of [
        [i, 0],
        [i, 63],
        [0, i],
        [63, i],
      ] as const)
        expect(pixel(png, x, y)[3]).toBe(0);
    }
    expect(drawn).toBeGreaterThan(64 * 64 * 0.3);
  }
});

test('what is nearer hides what is behind it, in whatever order the file has them', async () => {
  const folder = await tempDir();
  await writeFile(join(folder, 'two.mtl'), 'newmtl red\nKd 0.8 0 0\nnewmtl blue\nKd 0 0 0.8\n');
  const quad = (z: number, first: number, material: string) =>
    `${[
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ]
      .map(([x, y]) => `v ${x} ${y} ${z}\n`)
      .join('')}usemtl ${material}\nf ${[0, 1, 2, 3].map(i => first + i).join(' ')}\n`;
  const files = {
    'front-last.obj': quad(-1, 1, 'red') + quad(1, 5, 'blue'),
    'front-first.obj': quad(1, 1, 'blue') + quad(-1, 5, 'red'),
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), `mtllib two.mtl\n${text}`);
    const options = { path: join(folder, name), width: 32, elevation: 0, background: 'transparent' };
    const [r, , b] = pixel(await picture({ ...options, azimuth: 0 }), 16, 16);
    expect(b).toBeGreaterThan(2 * r);
    const [backR, , backB] = pixel(await picture({ ...options, azimuth: 180 }), 16, 16);
    expect(backR).toBeGreaterThan(2 * backB);
  }
});

test('a face turned to the light is brighter than one turned away', async () => {
  const png = await picture({ path: await writeCube(await tempDir()), width: 96, azimuth: 30, elevation: 30 });
  const top = pixel(png, 48, 22)[0];
  const side = pixel(png, 70, 60)[0];
  expect(top).toBeGreaterThan(side + 15);
});

test('a picture is written to a new file only, and then the image is left out unless asked for', async () => {
  const folder = await tempDir();
  const output = join(folder, 'deep', 'thumb.png');
  const args = { path: samplePath('pawn.obj'), width: 40, output_path: output, background: '#102030' };
  const result = (await renderThumbnail(args, skillContext())) as Blocks;
  expect(result.content.map(block => block.type)).toEqual(['text']);
  expect(pixel(decode(await readFile(output)), 0, 0)).toEqual([0x10, 0x20, 0x30, 255]);
  const again = envelopeOf(await renderThumbnail(args, skillContext()));
  expect(again).toMatchObject({ success: false, error: 'output_exists' });
  const other = { ...args, output_path: join(folder, 'thumb.jpg') };
  expect(envelopeOf(await renderThumbnail(other, skillContext())).error).toBe('invalid_path');
});

test('sizes and backgrounds out of range are refused by name', async () => {
  const path = samplePath('pawn.obj');
  for (const bad of [{ width: 8 }, { width: 4096 }, { height: 2.5 }, { background: 'pink' }]) {
    const answer = envelopeOf(await renderThumbnail({ path, ...bad }, skillContext()));
    expect(answer.success).toBe(false);
    expect(answer.message).toContain(Object.keys(bad)[0]);
  }
});

test('a turntable writes its frames with growing progress and says where they are', async () => {
  const folder = join(await tempDir(), 'turn');
  const ctx = skillContext();
  const args = { path: samplePath('pawn.obj'), output_dir: folder, frames: 4, width: 32 };
  const { context } = envelopeOf(await renderTurntable(args, ctx));
  expect(context).toMatchObject({ output_dir: folder, output_extensions: ['.png'], frames: 4 });
  expect(ctx.steps.map(step => [step.current, step.total])).toEqual([
    [1, 4],
    [2, 4],
    [3, 4],
    [4, 4],
  ]);
  const names = (await readdir(folder)).sort();
  expect(names).toEqual(['frame_0000.png', 'frame_0001.png', 'frame_0002.png', 'frame_0003.png']);
  for (const name of names) expect(decode(await readFile(join(folder, name))).width).toBe(32);
  expect(envelopeOf(await renderTurntable(args, skillContext())).error).toBe('output_exists');
});

test('an abort stops a turntable after the current frame and leaves whole frames only', async () => {
  const folder = join(await tempDir(), 'turn');
  const ctx = skillContext({ onProgress: current => current === 3 && ctx.abort() });
  const args = { path: samplePath('pawn.obj'), output_dir: folder, frames: 200, width: 32 };
  await expect(renderTurntable(args, ctx)).rejects.toMatchObject({ name: 'AbortError' });
  const names = await readdir(folder);
  expect(names).toHaveLength(3);
  for (const name of names) expect(decode(await readFile(join(folder, name))).height).toBe(32);
});

test('an abort before the start draws nothing', async () => {
  const ctx = skillContext();
  ctx.abort();
  await expect(renderThumbnail({ path: samplePath('pawn.obj') }, ctx)).rejects.toMatchObject({ name: 'AbortError' });
});

test.runIf(process.platform === 'linux')(
  'a folder that the system refuses to make is a failure, not a hang',
  async () => {
    const args = { path: samplePath('pawn.obj'), width: 16, frames: 1 };
    for (const output_dir of ['/proc/nope/turn', join(samplePath('pawn.obj'), 'turn'), samplePath('pawn.obj')]) {
      const answer = envelopeOf(await renderTurntable({ ...args, output_dir }, skillContext()));
      expect(answer).toMatchObject({ success: false, error: 'output_unwritable' });
    }
  },
);

test('a cancel from outside is heard while a large picture is drawn', async () => {
  const ctx = skillContext();
  const drawing = renderThumbnail({ path: samplePath('chess-corner.glb'), width: 2048 }, ctx);
  setTimeout(() => ctx.abort(), 30);
  await expect(drawing).rejects.toMatchObject({ name: 'AbortError' });
});
