/** The reading tools of scene-inspector on geometry whose numbers are known. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import compareScenes from '../../skills/examples/scene-inspector/tools/compare-scenes.ts';
import convertObjToGlb from '../../skills/examples/scene-inspector/tools/convert-obj-to-glb.ts';
import inspectScene from '../../skills/examples/scene-inspector/tools/inspect-scene.ts';
import listSamples from '../../skills/examples/scene-inspector/tools/list-samples.ts';
import validateScene from '../../skills/examples/scene-inspector/tools/validate-scene.ts';
import { tempDir } from '../helper.ts';
import { cubeObj, envelopeOf, glbOf, samplePath, skillContext, triangleGltf, writeCube } from './skill-context.ts';

const inspect = async (path: string) => envelopeOf(await inspectScene({ path }, skillContext()));
const codes = (context: { findings: { code: string; severity: string }[] }, severity = 'error') =>
  context.findings.filter(item => item.severity === severity).map(item => item.code);

test('a cube has 8 vertices, 12 triangles and its bounding box', async () => {
  const { success, context } = await inspect(await writeCube(await tempDir()));
  expect(success).toBe(true);
  expect(context.counts).toMatchObject({ vertices: 8, triangles: 12, meshes: 1, materials: 1 });
  expect(context.bounding_box).toEqual({ min: [-1, -1, -1], max: [1, 1, 1], size: [2, 2, 2] });
  expect(context.external_files).toEqual([{ uri: 'cube.mtl', kind: 'material_library', exists: true, bytes: 28 }]);
  expect(context.materials[0]).toMatchObject({ name: 'red', used: true });
});

test('node transforms move, turn and scale the bounding box', async () => {
  const { json, bin } = triangleGltf();
  const half = Math.SQRT1_2;
  json.nodes = [
    { children: [1], translation: [10, 0, 0] },
    { mesh: 0, scale: [2, 3, 1], rotation: [0, 0, half, half] },
  ];
  const path = join(await tempDir(), 'moved.glb');
  await writeFile(path, glbOf(json, bin));
  const { context } = await inspect(path);
  // Scaled to 2 x 3, then a quarter turn about Z: x becomes y, y becomes -x.
  const whole = (numbers: number[]) => numbers.map(value => Math.round(value) + 0);
  expect(whole(context.bounding_box.min)).toEqual([7, 0, 0]);
  expect(whole(context.bounding_box.max)).toEqual([10, 2, 0]);
  expect(context.counts).toMatchObject({ nodes: 2, triangles: 1, vertices: 3 });
});

test('every sample is listed, exists and reads', async () => {
  const { context } = envelopeOf(await listSamples({}, skillContext()));
  expect(context.samples).toHaveLength(4);
  for (const sample of context.samples) expect((await inspect(sample.path)).success).toBe(true);
});

test('the chess corner counts shared meshes once and placed triangles by instance', async () => {
  const { context } = await inspect(samplePath('chess-corner.glb'));
  expect(context.counts).toMatchObject({ meshes: 7, nodes: 26, materials: 5 });
  expect(context.counts.placed_triangles).toBeGreaterThan(context.counts.triangles);
  expect(context.bounding_box.size[0]).toBeCloseTo(4.3, 5);
});

test('textures, animations and external files are reported with their sizes', async () => {
  const { context } = await inspect(samplePath('crate.gltf'));
  expect(context.textures).toEqual([{ name: 'crate.png', bytes: expect.any(Number), width: 128, height: 128 }]);
  expect(context.memory.texture_bytes).toBe(Math.round((128 * 128 * 16) / 3));
  expect(context.animations).toEqual([{ name: 'spin', channels: 1, duration_secs: 2 }]);
  expect(context.external_files.map((file: { kind: string }) => file.kind)).toEqual(['buffer', 'image']);
});

test('the broken sample gives each of its mistakes as a finding, worst first', async () => {
  const { context } = envelopeOf(await validateScene({ path: samplePath('broken-crate.gltf') }, skillContext()));
  expect(context.valid).toBe(false);
  expect(codes(context)).toEqual(expect.arrayContaining(['missing_file', 'position_not_finite', 'index_out_of_range']));
  expect(codes(context, 'warning')).toEqual(expect.arrayContaining(['degenerate_triangle', 'mesh_not_in_scene']));
  expect(codes(context, 'info')).toContain('unused_material');
  const order = context.findings.map((item: { severity: string }) =>
    ['error', 'warning', 'info'].indexOf(item.severity),
  );
  expect(order).toEqual([...order].sort());
});

test('a sound scene is valid, and budgets turn into warnings', async () => {
  const path = samplePath('crate.gltf');
  expect(envelopeOf(await validateScene({ path }, skillContext())).context).toMatchObject({ valid: true });
  const tight = envelopeOf(await validateScene({ path, max_texture_size: 64, max_triangles: 10 }, skillContext()));
  expect(tight.context.valid).toBe(true);
  expect(codes(tight.context, 'warning').sort()).toEqual(['over_triangle_budget', 'oversize_texture']);
});

test('bad OBJ lines are findings that name the line; the rest is read', async () => {
  const path = join(await tempDir(), 'bad.obj');
  await writeFile(path, `${cubeObj}v 1 nan 2\nf 1 2\nf 1 2 99\nusemtl nobody\nf 1 2 3\n`);
  const { context } = envelopeOf(await validateScene({ path }, skillContext()));
  expect(codes(context).sort()).toEqual(['bad_vertex', 'index_out_of_range']);
  expect(codes(context, 'warning')).toEqual(expect.arrayContaining(['missing_file', 'bad_face', 'undefined_material']));
  expect(context.findings.find((item: { code: string }) => item.code === 'bad_vertex').where).toBe('line 19');
});

test('a relative (negative) OBJ index counts back from the last vertex', async () => {
  const path = join(await tempDir(), 'relative.obj');
  await writeFile(path, 'v 0 0 0\nv 1 0 0\nv 0 5 0\nf -3 -2 -1\n');
  const { context } = await inspect(path);
  expect(context.counts.triangles).toBe(1);
  expect(context.bounding_box.size).toEqual([1, 5, 0]);
});

test('compare_scenes names what changed, and finds a file equal to itself', async () => {
  const folder = await tempDir();
  const before = await writeCube(folder);
  const after = join(folder, 'after.obj');
  await writeFile(after, `${cubeObj}o lid\nv 0 4 0\nf 7 8 9\n`);
  const ctx = skillContext();
  const { context } = envelopeOf(await compareScenes({ before, after }, ctx));
  expect(context.identical).toBe(false);
  expect(context.names.meshes).toEqual({ added: ['lid'], removed: [] });
  expect(context.changed.find((row: { what: string }) => row.what === 'triangles').difference).toBe(1);
  expect(context.bounding_box.same).toBe(false);
  expect(ctx.steps.map(step => step.current)).toEqual([1, 2]);
  const same = envelopeOf(await compareScenes({ before, after: before }, skillContext()));
  expect(same.context.identical).toBe(true);
});

test('an OBJ converts to a GLB with the same geometry and is never written over', async () => {
  const folder = await tempDir();
  const path = await writeCube(folder);
  const { success, context } = envelopeOf(await convertObjToGlb({ path }, skillContext()));
  expect(success).toBe(true);
  expect(context.output_path).toBe(join(folder, 'cube.glb'));
  const glb = (await inspect(context.output_path)).context;
  expect(glb.counts).toMatchObject({ triangles: 12, vertices: 8, materials: 1, meshes: 1 });
  expect(glb.bounding_box.size).toEqual([2, 2, 2]);
  const valid = envelopeOf(await validateScene({ path: context.output_path }, skillContext())).context;
  expect(valid).toMatchObject({ valid: true, findings: [] });
  expect(envelopeOf(await convertObjToGlb({ path }, skillContext())).error).toBe('output_exists');
});
