import { chmod, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { convertIndexedToRgb, decode, encode } from 'fast-png';
import { describe, expect, test } from 'vitest';
import { createSchemeCapturePlugin } from '../../../../../plugins/resources/schemes/capture/index.ts';
import { tempDir, waitFor } from '../../../../helper.ts';
import type { Wire } from '../../../../spec/wire.ts';
import { errorOf, pause, resourceServer } from '../../support.ts';
import { noDisplay, openDisplay, programPath } from './display.ts';

const uri = 'capture://current_window';
const record = {
  uri,
  name: 'Current window',
  description: 'Picture of the active host window',
  mimeType: 'image/png',
};

const served = async (env: Record<string, string | undefined>, options = {}, restMs = 15_000) => {
  const { app, connect } = await resourceServer([], options, [createSchemeCapturePlugin(restMs)], env);
  return { app, wire: await connect() };
};

const listed = async (wire: Wire) => (await wire.result('resources/list')).resources as unknown[];

const captured = async (wire: Wire) => {
  const [item] = (await wire.result('resources/read', { uri })).contents as { mimeType: string; blob: string }[];
  expect(item).toMatchObject({ uri, mimeType: 'image/png' });
  const bytes = Buffer.from(item?.blob ?? '', 'base64');
  const image = decode(bytes);
  const { width, height } = image;
  // Few colours make a PNG with a palette.
  const { data, channels, wide } = image.palette
    ? { data: convertIndexedToRgb(image), channels: image.palette[0]?.length ?? 3, wide: false }
    : { ...image, wide: image.depth === 16 };
  const pixel = (x: number, y: number): number[] => {
    const at = (y * width + x) * channels;
    return [...data.slice(at, at + 3)].map(value => (wide ? value >> 8 : value));
  };
  return { bytes, width, height, pixel };
};

const hidden = async (wire: Wire) => {
  expect(await listed(wire)).toEqual([]);
  expect(await errorOf(wire, 'resources/read', { uri })).toMatchObject({
    number: -32002,
    code: 'SVC_RESOURCES_UNAVAILABLE',
  });
};

const orange = [255, 128, 0];
const blue = [0, 0, 255];
const colours = { fg: '#0000ff', bg: '#ff8000' };

describe.skipIf(noDisplay)(
  `capture://current_window on a real X display${noDisplay && ` (skipped: ${noDisplay})`}`,
  () => {
    test('is listed once a backend works, clients are told, and reads as a PNG of the root, then of the active window', async () => {
      const display = await openDisplay();
      const id = await display.open('200x120+100+50', colours);
      const { wire } = await served(display.env);
      const stream = await wire.stream();
      await waitFor(async () => (await listed(wire)).length > 0, 'the resource to be listed', 15_000);
      expect(await listed(wire)).toEqual([record]);

      const root = await captured(wire);
      expect([root.width, root.height]).toEqual([640, 480]);
      expect(root.pixel(103, 53)).toEqual(orange);
      expect(root.pixel(10, 10)).toEqual([0, 0, 0]);

      await display.activate(id);
      const window = await captured(wire);
      expect([window.width, window.height]).toEqual([200, 120]);
      for (const [x, y] of [
        [2, 2],
        [197, 2],
        [2, 117],
        [197, 117],
      ] as const) {
        expect(window.pixel(x, y)).toEqual(orange);
      }
      const all = Array.from({ length: 200 * 120 }, (_, n) => window.pixel(n % 200, Math.floor(n / 200)).join());
      expect(all.filter(each => each === blue.join()).length).toBeGreaterThan(1000);
      const { SVC_TEST_SHOW: show } = process.env;
      if (show) {
        await writeFile(join(show, 'root.png'), root.bytes);
        await writeFile(join(show, 'window.png'), window.bytes);
      }
      expect(await errorOf(wire, 'resources/read', { uri: 'capture://other' })).toMatchObject({ number: -32002 });
      stream.close();
    }, 60_000);

    test('the listing is announced with list_changed', async () => {
      const display = await openDisplay();
      const folder = await tempDir();
      // A slow program, so that the client is connected before the probe has ended.
      await writeFile(join(folder, 'import'), `#!/bin/sh\nsleep 2\nexec ${programPath('import')} "$@"\n`);
      await chmod(join(folder, 'import'), 0o755);
      const { wire } = await served({ ...display.env, PATH: `${folder}:${display.env.PATH}` });
      const stream = await wire.stream();
      await hidden(wire);
      await stream.next(each => each.method === 'notifications/resources/list_changed', 20_000);
      expect(await listed(wire)).toEqual([record]);
      stream.close();
    }, 60_000);

    test('without xdotool, xprop names the active window; without both it is the root window', async () => {
      const display = await openDisplay();
      await display.activate(await display.open('120x80+10+10', colours));
      const folder = await tempDir();
      await symlink(String(programPath('import')), join(folder, 'import'));
      const rootOnly = await served({ ...display.env, PATH: folder });
      await waitFor(async () => (await listed(rootOnly.wire)).length > 0, 'the resource to be listed', 15_000);
      expect((await captured(rootOnly.wire)).width).toBe(640);
      await symlink(String(programPath('xprop')), join(folder, 'xprop'));
      const asking = await served({ ...display.env, PATH: folder });
      await waitFor(async () => (await listed(asking.wire)).length > 0, 'the resource to be listed', 15_000);
      expect((await captured(asking.wire)).width).toBe(120);
    }, 60_000);

    test('a display that ends is a producer that failed: -32603; many readers at once share a picture', async () => {
      const display = await openDisplay();
      const { wire } = await served(display.env);
      await waitFor(async () => (await listed(wire)).length > 0, 'the resource to be listed', 15_000);
      const pictures = await Promise.all(Array.from({ length: 20 }, () => captured(wire)));
      expect(new Set(pictures.map(each => each.bytes.toString('base64'))).size).toBe(1);
      await display.stop();
      expect(await errorOf(wire, 'resources/read', { uri })).toMatchObject({
        number: -32603,
        code: 'SVC_CAPTURE_FAILED',
      });
    }, 60_000);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a display that comes later is found, and one that is gone is hidden again; clients are told of both',
  async () => {
    const folder = await tempDir();
    const there = join(folder, 'there');
    const picture = join(folder, 'picture.png');
    await writeFile(
      picture,
      encode({ width: 2, height: 1, data: new Uint8Array([255, 0, 0, 0, 255, 0]), channels: 3 }),
    );
    // A capture program that works while its display is there.
    await writeFile(join(folder, 'import'), `#!/bin/sh\n[ -e ${there} ] || exit 1\nexec /bin/cat ${picture}\n`);
    await chmod(join(folder, 'import'), 0o755);
    const { wire } = await served({ DISPLAY: ':77', PATH: folder }, {}, 50);
    const stream = await wire.stream();
    const told = (times: number) =>
      waitFor(
        () => stream.messages.filter(each => each.method === 'notifications/resources/list_changed').length === times,
        'the notification',
        15_000,
      );
    await pause(300);
    await hidden(wire);
    await writeFile(there, '');
    await waitFor(async () => (await listed(wire)).length > 0, 'the resource to be listed', 15_000);
    expect(await listed(wire)).toEqual([record]);
    await told(1);
    const { width, height, pixel } = await captured(wire);
    expect([width, height, pixel(0, 0), pixel(1, 0)]).toEqual([2, 1, [255, 0, 0], [0, 255, 0]]);
    await rm(there);
    expect(await errorOf(wire, 'resources/read', { uri })).toMatchObject({ number: -32603 });
    await told(2);
    await hidden(wire);
    stream.close();
  },
  30_000,
);

describe('capture://current_window is hidden from the list, and a read answers -32002', () => {
  test('without DISPLAY, or without the programs', async () => {
    for (const env of [{}, { DISPLAY: '' }, { DISPLAY: ':1', PATH: '' }, { DISPLAY: ':1' }]) {
      const { wire } = await served(env);
      await pause(50);
      await hidden(wire);
    }
  });

  test.skipIf(process.platform !== 'linux').each([
    ['gives no PNG', 'echo hello'],
    ['fails', 'echo "no display" >&2; exit 1'],
    ['never ends', 'exec sleep 600'],
    ['prints without end', 'exec yes'],
  ])('where the capture program %s', async (_name, script) => {
    const folder = await tempDir();
    await writeFile(join(folder, 'import'), `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`);
    await chmod(join(folder, 'import'), 0o755);
    const { wire } = await served({ DISPLAY: ':77', PATH: folder }, { request_timeout_ms: 1500 });
    await pause(500);
    await hidden(wire);
  });
});
