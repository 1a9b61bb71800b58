/** FreeCAD: the second host of the same module. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { textJson } from '../spec/wire.ts';
import { type Application, eventually, missingOf, type Started, type Step, withApplication } from './application.ts';

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
  await step('what is not there is told', async () => {
    const { content } = await client.call('delete_object', { name: 'Nope' });
    assert.equal((content as { text: string }[])[0]?.text, 'No object is named "Nope"');
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
