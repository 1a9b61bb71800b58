/** Damaged, hostile and misnamed files: an answer each, never a crash or a hang. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import inspectScene from '../../skills/examples/scene-inspector/tools/inspect-scene.ts';
import renderThumbnail from '../../skills/examples/scene-inspector/tools/render-thumbnail.ts';
import validateScene from '../../skills/examples/scene-inspector/tools/validate-scene.ts';
import { tempDir } from '../helper.ts';
import { cubeObj, envelopeOf, glbOf, skillContext, triangleGltf } from './skill-context.ts';

const inspect = async (path: unknown, config = {}) =>
  envelopeOf(await inspectScene({ path }, skillContext({ config })));
const validate = async (path: string) => envelopeOf(await validateScene({ path }, skillContext()));
const render = async (path: string) => envelopeOf(await renderThumbnail({ path, width: 16 }, skillContext()));

type Json = ReturnType<typeof triangleGltf>['json'];

/** A GLB of the triangle after `change`. */
async function changed(change: (json: Json) => void): Promise<string> {
  const { json, bin } = triangleGltf();
  change(json);
  const path = join(await tempDir(), 'changed.glb');
  await writeFile(path, glbOf(json, bin));
  return path;
}

test('files that are no scene fail with a stable code and say what to do', async () => {
  const folder = await tempDir();
  const glb = glbOf(triangleGltf().json, triangleGltf().bin);
  const version1 = Buffer.from(glb);
  version1.writeUInt32LE(1, 4);
  const overrun = Buffer.from(glb);
  overrun.writeUInt32LE(0xffffff, 12);
  const files: [name: string, content: string | Uint8Array, error: string][] = [
    ['empty.glb', '', 'empty_file'],
    ['truncated.glb', glb.subarray(0, glb.length - 20), 'broken_glb'],
    ['header-only.glb', glb.subarray(0, 14), 'broken_glb'],
    ['version1.glb', version1, 'broken_glb'],
    ['overrun.glb', overrun, 'broken_glb'],
    ['text.gltf', 'hello', 'not_a_gltf'],
    ['list.gltf', '[]', 'not_a_gltf'],
    ['other.gltf', '{"name":"package"}', 'not_a_gltf'],
    ['old.gltf', '{"asset":{"version":"1.0"}}', 'unsupported_version'],
    ['invalid-utf8.gltf', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'not_a_gltf'],
    ['binary.obj', glb, 'not_an_obj'],
    ['prose.obj', 'this is a letter\nto nobody\n', 'not_an_obj'],
    ['picture.png', 'x', 'unsupported_format'],
    ['no-extension', 'x', 'unsupported_format'],
  ];
  for (const [name, content, error] of files) {
    await writeFile(join(folder, name), content);
    const answer = await inspect(join(folder, name));
    expect([name, answer.success, answer.error]).toEqual([name, false, error]);
    expect(answer.message.length).toBeGreaterThan(20);
  }
});

test('a wrong extension between .gltf and .glb does no harm', async () => {
  const { json, bin } = triangleGltf();
  const path = join(await tempDir(), 'really-binary.gltf');
  await writeFile(path, glbOf(json, bin));
  expect((await inspect(path)).context).toMatchObject({ format: 'glb', counts: { triangles: 1 } });
});

test('paths that lead to no regular file are told apart', async () => {
  const folder = await tempDir();
  await mkdir(join(folder, 'folder.obj'));
  await writeFile(join(folder, 'big.obj'), `${cubeObj}${'#'.repeat(3 * 1024 * 1024)}`);
  await symlink('/dev/zero', join(folder, 'endless.obj'));
  const missing = await inspect(join(folder, 'missing.glb'));
  expect(missing).toMatchObject({ success: false, error: 'file_not_found' });
  expect(missing.message).toContain('missing.glb');
  expect((await inspect(join(folder, 'folder.obj'))).error).toBe('not_a_file');
  expect((await inspect(join(folder, 'endless.obj'))).error).toBe('not_a_file');
  expect((await inspect(join(folder, 'big.obj'), { max_file_mb: 2 })).error).toBe('file_too_large');
  for (const path of ['', undefined, 5, 'a\0.obj', 'file:%zz'])
    expect((await inspect(path)).error).toBe('invalid_path');
});

test('structural mistakes are findings, and the geometry is then neither decoded nor drawn', async () => {
  const mistakes: [change: (json: Json) => void, code: string][] = [
    [
      json => Object.assign(json, { accessors: [{ bufferView: 0, componentType: 5126, count: 4e9, type: 'VEC3' }] }),
      'out_of_buffer',
    ],
    [
      json => Object.assign(json, { accessors: [{ componentType: 5126, count: 4e9, type: 'VEC3' }] }),
      'scene_too_large',
    ],
    [json => Object.assign(json, { bufferViews: [{ buffer: 0, byteLength: 1e9 }] }), 'out_of_buffer'],
    [json => Object.assign(json, { bufferViews: [{ buffer: 7, byteLength: 1 }] }), 'broken_reference'],
    [json => Object.assign(json, { bufferViews: [{ buffer: 0, byteOffset: -8, byteLength: 1.5 }] }), 'wrong_type'],
    [json => Object.assign(json, { nodes: [{ mesh: 3 }] }), 'broken_reference'],
    [json => Object.assign(json, { nodes: [{ mesh: 0, children: [1] }, { children: [0] }] }), 'not_a_tree'],
    [json => Object.assign(json, { nodes: [{ mesh: 0, matrix: [1, 2, 3] }] }), 'wrong_type'],
    [json => Object.assign(json, { meshes: [{ primitives: 'many' }] }), 'wrong_type'],
    [json => Object.assign(json, { meshes: [{ primitives: [{ attributes: { POSITION: 1 } }] }] }), 'wrong_type'],
    [json => Object.assign(json, { accessors: 'none' }), 'wrong_type'],
    [json => Object.assign(json, { buffers: [{ byteLength: 44, uri: 'gone.bin' }] }), 'missing_file'],
    [json => Object.assign(json, { buffers: [{ byteLength: 44, uri: 'https://example.com/a.bin' }] }), 'remote_file'],
    [json => Object.assign(json, { buffers: [{ byteLength: 44, uri: '/etc/hostname' }] }), 'unusable_uri'],
    [json => Object.assign(json, { buffers: [{ byteLength: 9999 }] }), 'buffer_too_short'],
  ];
  for (const [change, code] of mistakes) {
    const path = await changed(change);
    const { context } = await validate(path);
    expect(context.valid).toBe(false);
    expect(context.findings.map((item: { code: string }) => item.code)).toContain(code);
    expect((await inspect(path)).context.geometry_readable).toBe(false);
    expect((await render(path)).error).toBe('geometry_unreadable');
  }
});

test('compressed geometry is said to be compressed', async () => {
  const path = await changed(json => Object.assign(json, { extensionsUsed: ['KHR_draco_mesh_compression'] }));
  expect((await validate(path)).context.findings[0].code).toBe('compressed_geometry');
  expect(await render(path)).toMatchObject({ success: false, error: 'geometry_unreadable' });
});

test('NaN and infinite positions are found and left out of bounds and picture', async () => {
  const path = join(await tempDir(), 'nan.glb');
  const { json } = triangleGltf();
  const bin = Buffer.concat([
    Buffer.from(new Float32Array([0, 0, 0, Number.NaN, 0, 0, Number.POSITIVE_INFINITY, 1, 0]).buffer),
    Buffer.from(new Uint16Array([0, 1, 2, 0]).buffer),
  ]);
  await writeFile(path, glbOf(json, bin));
  const finding = (await validate(path)).context.findings[0];
  expect(finding).toMatchObject({ severity: 'error', code: 'position_not_finite', count: 2 });
  expect((await inspect(path)).context.bounding_box.max).toEqual([0, 0, 0]);
  expect((await render(path)).success).toBe(true);
});

test('a scene without triangles cannot be drawn and says so', async () => {
  const path = join(await tempDir(), 'points.obj');
  await writeFile(path, 'v 0 0 0\nv 1 1 1\np 1 2\n');
  expect(await render(path)).toMatchObject({ success: false, error: 'nothing_to_draw' });
});

test('a deep hierarchy of 50,000 nodes neither overflows nor stalls', async () => {
  const depth = 50_000;
  const path = await changed(json => {
    json.nodes = Array.from({ length: depth }, (_, i) => (i === depth - 1 ? { mesh: 0 } : { children: [i + 1] }));
  });
  expect((await inspect(path)).context.counts).toMatchObject({ nodes: depth, placed_triangles: 1 });
});

/** Every tool answers with an envelope, whatever the file holds. */
async function answers(path: string): Promise<void> {
  for (const answer of [await inspect(path), await validate(path), await render(path)]) {
    expect(typeof answer.success).toBe('boolean');
    expect(JSON.stringify(answer).length).toBeGreaterThan(10);
  }
}

test('random bytes under any extension get an answer', async () => {
  const folder = await tempDir();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('glb', 'gltf', 'obj'), fc.uint8Array({ maxLength: 400 }), async (kind, bytes) => {
      const path = join(folder, `random.${kind}`);
      await writeFile(path, bytes);
      await answers(path);
    }),
    { numRuns: 60 },
  );
});

test('a GLB with any bytes flipped gets an answer', async () => {
  const folder = await tempDir();
  const { json, bin } = triangleGltf();
  const sound = glbOf(json, bin);
  const flips = fc.array(fc.tuple(fc.nat(sound.length - 1), fc.integer({ min: 0, max: 255 })), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(flips, async changes => {
      const bytes = Buffer.from(sound);
      for (const [place, value] of changes) bytes[place] = value;
      const path = join(folder, 'flipped.glb');
      await writeFile(path, bytes);
      await answers(path);
    }),
    { numRuns: 60 },
  );
});

/** Converted to a text or a number it throws. */
const stubborn = { toString: false, valueOf: false };
/** The value with what stands at `path` replaced. */
function replacedAt(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const members = value as Record<string, unknown>;
  const next = replacedAt(members[key], rest, by);
  return Array.isArray(value)
    ? value.map((each, index) => (String(index) === key ? next : each))
    : Object.assign({}, members, { [key]: next });
}
/** Paths of everything in a value. */
const pathsIn = (value: unknown): string[][] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, each]) => [[key], ...pathsIn(each).map(path => [key, ...path])]);

test('glTF JSON with an object that cannot be converted, in each place, gets an answer', async () => {
  const folder = await tempDir();
  const whole = triangleGltf();
  const {
    scene = 0,
    images = [{ bufferView: 0, mimeType: 'image/png', name: 'i' }],
    ...rest
  } = whole.json as Record<string, unknown>;
  const animations = [
    { name: 'a', samplers: [{ input: 0, output: 0 }], channels: [{ sampler: 0, target: { node: 0 } }] },
  ];
  const json = { scene, images, animations, ...rest };
  const paths = pathsIn(json);
  expect(paths.length).toBeGreaterThan(30);
  for (const path of paths) {
    const file = join(folder, 'stubborn.glb');
    await writeFile(file, glbOf(replacedAt(json, path, stubborn) as typeof whole.json, whole.bin));
    await answers(file);
  }
});

test('glTF JSON with any value in any place gets an answer', async () => {
  const folder = await tempDir();
  const keys = [
    'nodes',
    'meshes',
    'accessors',
    'bufferViews',
    'buffers',
    'scenes',
    'scene',
    'images',
    'materials',
    'animations',
  ];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.array(
      fc.dictionary(fc.constantFrom('mesh', 'primitives', 'count', 'buffer', 'uri'), fc.jsonValue({ maxDepth: 2 })),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...keys), value, async (key, replacement) => {
      const { json, bin } = triangleGltf();
      const path = join(folder, 'odd.glb');
      await writeFile(path, glbOf({ ...json, [key]: replacement }, bin));
      await answers(path);
    }),
    { numRuns: 80 },
  );
});

test('random OBJ-like lines get an answer', async () => {
  const folder = await tempDir();
  const word = fc.constantFrom(
    'v',
    'f',
    'vn',
    'vt',
    'usemtl',
    'g',
    'mtllib',
    '1',
    '-1',
    '1/1/1',
    '9e99',
    'NaN',
    '../x',
    '0',
    '3',
  );
  const text = fc.array(
    fc.array(word, { maxLength: 6 }).map(words => words.join(' ')),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(text, async lines => {
      const path = join(folder, 'lines.obj');
      await writeFile(path, lines.join('\n'));
      await answers(path);
    }),
    { numRuns: 80 },
  );
});
