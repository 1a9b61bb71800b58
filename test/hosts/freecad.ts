/** FreeCAD: the second host of the same module. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { textJson } from '../spec/wire.ts';
import { type Application, missingOf, withApplication } from './application.ts';

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
      async ({ client, directory }) => {
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
        await step('what is not there is told', async () => {
          const { content } = await client.call('delete_object', { name: 'Nope' });
          assert.equal((content as { text: string }[])[0]?.text, 'No object is named "Nope"');
        });
      },
    ),
};
