/** FreeCAD: the second host of the same module. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Json, textJson } from '../spec/wire.ts';
import { type Application, eventually, missingOf, type Started, type Step, withApplication } from './application.ts';

const impossible: readonly (readonly [string, Json, RegExp])[] = [
  ['delete_object', { name: 'Nope' }, /^No object is named "Nope": there are Block, Hole, Cut$/],
  ['create_solid', { kind: 'box', size: { Radius: 4 } }, /^A box has no "Radius", but Height, Length, Width$/],
  ['create_solid', { kind: 'box', size: { Length: -4 } }, /^A box cannot be made of/],
  ['set_properties', { name: 'Block', properties: { Height: 30, Nope: 1 } }, /^Nope: /],
  ['set_properties', { name: 'Block', properties: { Width: 30, Height: -1 } }, /^"Block" cannot be made of that$/],
  ['set_properties', { name: 'Block', properties: { Height: 'tall' } }, /^Height: syntax error$/],
  ['combine', { operation: 'cut', base: 'Hole', tool: 'Hole' }, /cannot be combined with itself/],
  ['export_shapes', { path: 'x.step' }, /"x\.step" is not a whole path/],
  ['export_shapes', { path: '/tmp/x.obj' }, /use one of .*\.step/],
  ['save_document', {}, /has no path yet/],
  ['save_document', { path: '/proc/x/y' }, /cannot be made/],
];

async function shapes(step: Step, { client, directory }: Started): Promise<void> {
  await step('solids, a boolean with its volume, and STEP', async () => {
    await client.call('create_solid', {
      kind: 'box',
      name: 'Block',
      size: { Length: 10, Width: 10, Height: 10 },
    });
    await client.call('create_solid', { kind: 'box', name: 'Hole', size: { Length: 5, Width: 5, Height: 10 } });
    const cut = textJson(await client.call('combine', { operation: 'cut', base: 'Block', tool: 'Hole' }));
    assert.equal(cut.volume, 750);
    const path = join(directory, 'cut.step');
    await client.call('export_shapes', { path, names: [String(cut.name)] });
    assert.ok((await stat(path)).size > 1000);
  });
  await step('the document is read, and followed', async () => {
    const told = textJson(await client.call('document_info'));
    assert.equal((told.objects as { volume: number }[]).at(-1)?.volume, 750);
    await eventually('the scene with three objects', 5, async () => {
      const { contents } = await client.result('resources/read', { uri: 'scene://current' });
      return JSON.parse((contents as { text: string }[])[0]?.text ?? '').object_count === 3;
    });
  });
  await step('what cannot be is refused, and leaves nothing behind', async () => {
    const box = async () => JSON.stringify(await client.callJson('document_info'));
    const before = await box();
    const far = { kind: 'sphere', name: 'Far', position: [100, 0, 0] };
    for (const [tool, args, why] of impossible) {
      const { isError, content } = await client.call(tool, args);
      const [{ text = '' } = {}] = content as { text: string }[];
      assert.ok(isError && why.test(text), `${tool}: ${text}`);
    }
    assert.equal(await box(), before);
    // An empty shape is infinitely large.
    await client.call('create_solid', far);
    const { content } = await client.call('combine', { operation: 'common', base: 'Block', tool: 'Far' });
    assert.match((content as { text: string }[])[0]?.text ?? '', /nothing would be left$/);
    await client.call('delete_object', { name: 'Far' });
    assert.equal(await box(), before);
  });
}

export const freecad: Application = {
  name: 'freecad',
  missing: () => missingOf(['freecadcmd']),
  run: step =>
    withApplication(
      'freecad',
      directory => ({
        addons: join(directory, 'Mod'),
        env: { PYTHONPATH: join(directory, 'Mod', 'svc'), QT_QPA_PLATFORM: 'offscreen' },
        command: ['freecadcmd', '-c', 'import svc_freecad; svc_freecad.serve()'],
      }),
      started => shapes(step, started),
    ),
};

/** By its own start, from the folder in which it looks for add-ons. */
export const freecadInWindow: Application = {
  name: 'freecad in a window',
  missing: () => missingOf(['freecad', 'xvfb-run']),
  run: step =>
    withApplication(
      'freecad',
      directory => ({
        addons: join(directory, '.local', 'share', 'FreeCAD', 'Mod'),
        // Its start page is a browser, which refuses to run as root.
        env: { QTWEBENGINE_DISABLE_SANDBOX: '1' },
        command: ['freecad'],
        window: true,
      }),
      async started => {
        await shapes(step, started);
        await step('killed with -9: its row goes', async () => {
          process.kill((await started.row()).host_pid, 'SIGKILL');
          await eventually('the end of the row', 3, async () => (await started.rows()).length === 0);
        });
      },
    ),
};
