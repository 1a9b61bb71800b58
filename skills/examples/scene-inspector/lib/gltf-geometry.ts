/** Decodes the geometry of a checked glTF document with glTF-Transform. */
import { type Accessor, type GLTF, Logger, type Primitive, WebIO } from '@gltf-transform/core';
import { SceneError } from './envelope.ts';
import { triangleList } from './geometry.ts';
import { isRow, nameOf, numberOf, type Row, rows } from './gltf-container.ts';
import type { Geometry } from './scene-model.ts';

const drawn = ['POSITION', 'NORMAL', 'TEXCOORD_0'];
const maxIndices = 90_000_000;

/** One geometry per primitive, in order. Throws a SceneError when the decoder refuses the data. */
export async function decodeGeometry(json: Row, buffers: readonly Uint8Array<ArrayBuffer>[]): Promise<Geometry[]> {
  const resources = Object.fromEntries(buffers.map((bytes, i) => [bufferName(i), bytes]));
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));
  try {
    const document = await io.readJSON({ json: geometryOnly(json) as unknown as GLTF.IGLTF, resources });
    const primitives = document
      .getRoot()
      .listMeshes()
      .map(mesh => mesh.listPrimitives());
    return collect(json, primitives);
  } catch (error) {
    if (error instanceof SceneError) throw error;
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown reason';
    throw new SceneError('unreadable_geometry', `The geometry cannot be decoded: ${reason}.`);
  }
}

function collect(json: Row, decoded: Primitive[][]): Geometry[] {
  const floats = new Map<Accessor, Float32Array>();
  const geometries: Geometry[] = [];
  let total = 0;
  rows(json, 'meshes').forEach((mesh, m) => {
    ((mesh.primitives ?? []) as Row[]).forEach((row, p) => {
      const primitive = decoded[m]?.[p];
      const position = primitive?.getAttribute('POSITION');
      const positions = floatsOf(position, floats) ?? new Float32Array();
      const indices =
        primitive?.getIndices()?.getArray() ?? Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
      total += indices.length;
      if (total > maxIndices) throw new SceneError('scene_too_large', 'The scene has over 30 million triangles.');
      const normals = floatsOf(primitive?.getAttribute('NORMAL'), floats);
      geometries.push({
        name: nameOf(mesh, `mesh ${m}`),
        mesh: m,
        positions,
        normals: normals?.length === positions.length ? normals : undefined,
        uvs: floatsOf(primitive?.getAttribute('TEXCOORD_0'), floats),
        indices: triangleList(indices, numberOf(row.mode ?? 4)),
        material: typeof row.material === 'number' ? row.material : -1,
      });
    });
  });
  return geometries;
}

/** Float data as it is; integers as the numbers they stand for. */
function floatsOf(accessor: Accessor | null | undefined, known: Map<Accessor, Float32Array>): Float32Array | undefined {
  const array = accessor?.getArray();
  if (accessor === null || accessor === undefined || array === null || array === undefined) return undefined;
  if (array instanceof Float32Array) return array;
  const done = known.get(accessor);
  if (done !== undefined) return done;
  const size = accessor.getElementSize();
  const floats = new Float32Array(array.length);
  const element: number[] = [];
  for (let i = 0; i < array.length / size; i++) floats.set(accessor.getElement(i, element), i * size);
  known.set(accessor, floats);
  return floats;
}

/** A document with nothing but what is drawn: less to decode, and nothing else in the file can fail it. */
function geometryOnly(json: Row): Row {
  const needed = new Set<unknown>();
  const meshes = rows(json, 'meshes').map(mesh => ({
    primitives: ((mesh.primitives ?? []) as Row[]).map(primitive => {
      const given = isRow(primitive.attributes) ? primitive.attributes : {};
      const attributes = Object.fromEntries(drawn.filter(name => name in given).map(name => [name, given[name]]));
      for (const index of [...Object.values(attributes), primitive.indices]) needed.add(index);
      return { attributes, ...(primitive.indices === undefined ? {} : { indices: primitive.indices }) };
    }),
  }));
  const accessors = rows(json, 'accessors').map((accessor, i) => {
    const { componentType, type, count, normalized, bufferView, byteOffset, sparse } = accessor;
    if (!needed.has(i)) return { componentType, type, count: 0 };
    return {
      componentType,
      type,
      count,
      ...(normalized === true ? { normalized } : {}),
      ...(bufferView === undefined ? {} : { bufferView, byteOffset: byteOffset ?? 0 }),
      ...(sparse === undefined ? {} : { sparse }),
    };
  });
  const bufferViews = rows(json, 'bufferViews').map(({ buffer, byteOffset, byteLength, byteStride }) => ({
    buffer,
    byteOffset: byteOffset ?? 0,
    byteLength,
    ...(byteStride === undefined ? {} : { byteStride }),
  }));
  const buffers = rows(json, 'buffers').map((_, i) => ({ uri: bufferName(i), byteLength: 0 }));
  return { asset: { version: '2.0' }, buffers, bufferViews, accessors, meshes };
}

function bufferName(index: number): string {
  return `buffer-${index}.bin`;
}
