/** Blender: what an agent does in it, a render that is looked at and one that is cancelled, and its end by force. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../spec/wire.ts';
import { textJson } from '../spec/wire.ts';
import {
  type Application,
  eventually,
  finished,
  missingOf,
  type Started,
  type Step,
  withApplication,
} from './application.ts';
import { colours } from './pictures.ts';

const text = (result: Json): string => (result.content as { text: string }[])[0]?.text ?? '';

async function scene(step: Step, { client }: Started): Promise<void> {
  await step('objects, materials, camera and light', async () => {
    const made = textJson(await client.call('create_object', { shape: 'cube', name: 'Box', location: [0, 0, 0] }));
    assert.equal(made.name, 'Box');
    await client.call('delete_objects', { names: ['Cube'] });
    await client.call('create_material', { name: 'Red', color: [1, 0, 0], emission: 1 });
    assert.deepEqual(
      textJson(await client.call('assign_material', { object_name: 'Box', material: 'Red' })).materials,
      ['Red'],
    );
    await client.call('set_camera', { location: [0, -8, 0], look_at: [0, 0, 0] });
    assert.match(text(await client.call('get_object', { name: 'Nope' })), /^No object is named "Nope"$/);
  });
  await step('the scene is read, and follows', async () => {
    const names = async () => {
      const { contents } = await client.result('resources/read', { uri: 'scene://current' });
      const { objects } = JSON.parse((contents as { text: string }[])[0]?.text ?? '') as {
        objects?: { name: string }[];
      };
      // Nothing has been told yet.
      return (objects ?? []).map(each => each.name);
    };
    await eventually('the scene with Box', 5, async () => (await names()).includes('Box'));
    assert.ok(!(await names()).includes('Cube'));
    await client.call('create_object', { shape: 'empty', name: 'Later' });
    await eventually('the scene with Later', 5, async () => (await names()).includes('Later'));
  });
}

const impossible: readonly (readonly [string, Json, RegExp])[] = [
  ['get_object', { name: 'turn' }, /^No object is named "turn": there are Turned$/],
  ['create_object', { shape: 'cube', size: 1e300 }, /^size is from 1e-06 to 1000000, not 1e\+300$/],
  ['rename_object', { name: 'Below', new_name: ' ' }, /new_name is empty/],
  ['set_parent', { name: 'Below', parent: 'Below' }, /cannot be its own parent/],
  ['add_modifier', { name: 'Box', kind: 'BOOLEAN', settings: { object: 'Nope' } }, /^No object is named "Nope"/],
  ['add_modifier', { name: 'Box', kind: 'BEVEL', settings: { width: 'x' } }, /^BevelModifier\.width expected a float/],
  ['create_material', { name: 'Red', roughness: 7 }, /^roughness is from 0 to 1/],
  ['assign_material', { object_name: 'Box', material: 'Nope' }, /^No material is named "Nope": there are .*Red/],
  ['set_camera', { lens: 0 }, /^lens is from 1/],
  // An export would go through all frames up to there.
  ['insert_keyframe', { name: 'Box', frame: 2 ** 40, location: [0, 0, 0] }, /^a frame is from -1048574 to 1048574/],
  ['set_frame', { frame: 2 ** 40 }, /^a frame is from/],
  ['set_render', { width: 640, height: 0 }, /^height is from 4 to 65536, not 0$/],
  ['set_render', { samples: 0 }, /^samples is from 1 to 16777216/],
  ['set_render', { frame_start: 9, frame_end: 3 }, /^frame_end 3 stands before frame_start 9$/],
  ['save_file', { path: '/tmp/' }, /"\/tmp\/" is a folder/],
  ['open_file', { path: '~/bad.glb', discard_changes: true }, /^The file cannot be opened: /],
];

/** What the tools make of what is given to them, as a user of Blender means it. */
async function meant(step: Step, { client, directory }: Started): Promise<void> {
  const told = async (name: string, args: Json) => textJson(await client.call(name, args));
  const refused = async (name: string, args: Json) => {
    const result = await client.call(name, args);
    assert.equal(result.isError, true, text(result));
    return text(result);
  };
  await step('a turn is in degrees, given and told, whatever the object keeps it as', async () => {
    await told('create_object', { shape: 'empty', name: 'Turned' });
    assert.deepEqual((await told('transform_object', { name: 'Turned', rotation: [0, 0, 90] })).rotation, [0, 0, 90]);
    const more = { name: 'Turned', rotation: [0, 0, 15], relative: true };
    for (const mode of ['QUATERNION', 'AXIS_ANGLE']) {
      await client.call('turn_mode', { name: 'Turned', mode });
      await told('transform_object', { name: 'Turned', rotation: [0, 0, 30] });
      const [x, y, z] = (await told('transform_object', more)).rotation as number[];
      assert.ok(far([Number(x), Number(y), Number(z)], [0, 0, 45]) < 0.01, `${mode}: ${x}, ${y}, ${z}`);
    }
    const { keyed } = await told('insert_keyframe', { name: 'Turned', frame: 2, rotation: [0, 0, 1] });
    assert.deepEqual(keyed, ['rotation_axis_angle']);
  });
  await step('what is refused leaves nothing behind', async () => {
    const { location } = await told('get_object', { name: 'Turned' });
    await refused('transform_object', { name: 'Turned', location: [5, 5, 5], rotation: [1, 2] });
    assert.deepEqual((await told('get_object', { name: 'Turned' })).location, location);
    await told('create_object', { shape: 'empty', name: 'Below' });
    await told('set_parent', { name: 'Below', parent: 'Turned' });
    assert.match(await refused('set_parent', { name: 'Turned', parent: 'Below' }), /"Below" stands below "Turned"/);
    const count = async () => (await told('scene_info', {})).object_count;
    const before = await count();
    const path = join(directory, 'bad.obj');
    await writeFile(path.replace('obj', 'glb'), 'no glTF');
    assert.match(await refused('import_file', { path: path.replace('obj', 'glb') }), /cannot be imported/);
    await writeFile(path, 'no mesh');
    assert.match(await refused('import_file', { path }), /^Nothing was found in .*bad\.obj/);
    assert.equal(await count(), before);
  });
  await step('paths are whole, or beside the open file; folders are made', async () => {
    assert.match(await refused('export_file', { path: 'box.obj' }), /"box\.obj" is not a whole path/);
    assert.match(await refused('export_file', { path: '//box.obj' }), /was not saved yet/);
    await told('save_file', { path: join(directory, 'new', 'shot.blend') });
    assert.equal((await told('export_file', { path: '//box.obj' })).path, join(directory, 'new', 'box.obj'));
    assert.ok(Array.isArray((await told('import_file', { path: '~/new/box.obj' })).imported));
  });
  await step(
    'what cannot be is refused with what can be, before anything is done, and nothing hangs on it',
    async () => {
      for (const [tool, args, why] of impossible) assert.match(await refused(tool, args), why, tool);
      const rename = { name: 'Below', new_name: 'Turned' };
      assert.equal((await told('rename_object', rename)).name, 'Turned.001');
      assert.deepEqual((await told('delete_objects', { names: ['Turned.001', 'Turned.001'] })).deleted, ['Turned.001']);
      await told('create_object', { shape: 'cube', name: 'Vast', scale: [3e38, 3e38, 3e38] });
      assert.deepEqual((await told('get_object', { name: 'Vast' })).dimensions, [null, null, null]);
      await told('delete_objects', { names: ['Vast'] });
      const cut = { name: 'Box', kind: 'boolean', settings: { object: 'Box' } };
      assert.match(text(await client.call('add_modifier', cut)), /Boolean/);
      await told('set_frame', { frame: -5 });
      const still = { width: 16, height: 16, samples: 1, engine: 'cycles' };
      assert.equal((await finished(client, await told('render_still', still), 60)).status, 'completed');
    },
  );
  await step('EEVEE is found by either of its names, and another says what there is', async () => {
    for (const engine of ['BLENDER_EEVEE', 'BLENDER_EEVEE_NEXT', 'eevee'])
      assert.match(String((await told('set_render', { engine })).engine), /^BLENDER_EEVEE/);
    assert.match(await refused('set_render', { engine: 'NOPE' }), /no render engine "NOPE", but .*CYCLES/);
  });
}

async function renders(step: Step, { client, directory }: Started): Promise<void> {
  await step('a still is rendered as a job, while other calls are answered, and shows the red box', async () => {
    const path = join(directory, 'still.png');
    const given = { path, width: 160, height: 120, samples: 2, engine: 'CYCLES' };
    const job = textJson(await client.call('render_still', given));
    assert.equal(textJson(await client.call('scene_info')).camera, 'Camera');
    const told = await finished(client, job, 120);
    assert.equal(told.status, 'completed', JSON.stringify(told).slice(0, 500));
    const { width, height, middle, corner } = colours(await readFile(path));
    assert.deepEqual([width, height], [160, 120]);
    const [red = 0, green = 0, blue = 0] = middle;
    assert.ok(red > 0.5 && red > green + 0.3 && red > blue + 0.3, `the middle is ${middle}`);
    const spread = Math.max(...corner) - Math.min(...corner);
    assert.ok(spread < 0.05, `the corner is no grey: ${corner}`);
    const { content } = told.result as { content: Json[] };
    const shown = colours(Buffer.from(String(content.find(each => each.type === 'image')?.data), 'base64'));
    assert.deepEqual(shown.middle, middle);
  });
  await step('another is cancelled, and leaves no process', async () => {
    const job = textJson(
      await client.call('render_still', { width: 4096, height: 4096, samples: 4096, engine: 'CYCLES' }),
    );
    const status = async () => (await client.callJson('jobs_get_status', { job_id: job.job_id })).status;
    await eventually('the render', 20, async () => (await status()) === 'running');
    await client.call('jobs_cancel', { job_id: job.job_id });
    await eventually('the end of the render', 10, async () => (await status()) === 'cancelled');
    assert.ok(textJson(await client.call('scene_info')).scene);
  });
}

const ended = (step: Step, { child, client, rows }: Started, hold: string): Promise<void> =>
  step('killed with -9: its row goes, and nobody answers any more', async () => {
    assert.equal((await rows()).length, 1);
    const asked = client.call(hold).then(text, () => 'gone');
    process.kill(-Number(child.pid), 'SIGKILL');
    await asked;
    await eventually('the end of the row', 3, async () => (await rows()).length === 0);
  });

const folders = (directory: string) => ({
  BLENDER_USER_SCRIPTS: join(directory, 'scripts'),
  BLENDER_USER_CONFIG: join(directory, 'config'),
});

/** What starts it without a window. */
export const blenderCommand = (directory: string) => ({
  addons: join(directory, 'scripts', 'addons'),
  env: folders(directory),
  command: [
    'blender',
    '--background',
    '--addons',
    'svc_blender',
    '--python-expr',
    'import svc_blender; svc_blender.serve()',
  ],
});

const picture = async ({ client }: Started, width: number, height: number) => {
  const result = await client.call('viewport_picture', { width, height });
  const image = (result.content as Json[]).find(each => each.type === 'image');
  assert.ok(image, text(result));
  return colours(Buffer.from(String(image.data), 'base64'));
};

const far = (one: readonly number[], other: readonly number[]): number =>
  Math.max(...one.map((each, at) => Math.abs(each - (other[at] ?? 0))));

async function viewport(step: Step, started: Started): Promise<void> {
  const { client } = started;
  await step('the picture of the viewport shows what is there, in the size that was asked for', async () => {
    const full = await picture(started, 320, 240);
    assert.deepEqual([full.width, full.height], [320, 240]);
    assert.ok(far(full.middle, full.corner) > 0.1, `the cube is not seen: ${full.middle}, ${full.corner}`);
    await client.call('delete_objects', { names: ['Cube'] });
    const empty = await picture(started, 320, 240);
    assert.ok(far(full.middle, empty.middle) > 0.1, `the cube is still seen: ${full.middle}, ${empty.middle}`);
    assert.ok(far(full.corner, empty.corner) < 0.02, `the corner has changed: ${full.corner}, ${empty.corner}`);
  });
  await step('a size beyond all measure is taken back to the largest', async () => {
    const { width, height } = await picture(started, 100_000, 1);
    assert.deepEqual([width, height], [2048, 16]);
  });
}

export const blenderInBackground: Application = {
  name: 'blender in the background',
  missing: () => missingOf(['blender']),
  run: step =>
    withApplication('blender', probed(blenderCommand), async started => {
      await scene(step, started);
      await renders(step, started);
      await meant(step, started);
      await step('without a viewport there is no picture of it, and what there is instead is said', async () => {
        const result = await started.client.call('viewport_picture');
        assert.equal(result.isError, true);
        assert.match(text(result), /no 3D viewport: render_still shows the scene/);
      });
      await ended(step, started, 'scene_info');
    }),
};

// Software GL holds the main thread for seconds at each redraw of a 3D view: there is none.
const withoutViews =
  'import bpy\ndef no_views():\n    for w in bpy.context.window_manager.windows:\n        for a in w.screen.areas:\n            if a.type == "VIEW_3D": a.type = "TEXT_EDITOR"\nbpy.app.timers.register(no_views, first_interval=0.0)';

/** What starts it with a window on a screen of its own. */
export const blenderWindowCommand = (directory: string) => ({
  ...blenderCommand(directory),
  window: true,
  command: ['blender', '--no-window-focus', '--addons', 'svc_blender', '--python-expr', withoutViews],
});

export const blenderInWindow: Application = {
  name: 'blender in a window',
  missing: () => missingOf(['blender', 'xvfb-run']),
  run: step =>
    withApplication('blender', blenderWindowCommand, async started => {
      await scene(step, started);
      await ended(step, started, 'scene_info');
    }),
};

/** Software GL draws its 3D view, small and seldom. */
export const blenderWithViewport: Application = {
  name: 'blender with a viewport',
  missing: () => missingOf(['blender', 'xvfb-run']),
  run: step =>
    withApplication(
      'blender',
      directory => ({
        ...blenderCommand(directory),
        window: true,
        command: 'blender --no-window-focus --window-geometry 0 0 320 240 --addons svc_blender'.split(' '),
      }),
      async started => viewport(step, started),
    ),
};

const probe = join(import.meta.dirname, 'probe.py');
/** With tools of its own that look at Blender from inside. */
export const probed = (commandOf: typeof blenderCommand) => (directory: string) => {
  const { command, ...others } = commandOf(directory);
  // It comes before what serves, which does not return.
  return {
    ...others,
    command: command.flatMap(each => (each === '--python-expr' ? ['--python', probe, each] : [each])),
  };
};
