/** What inspect_scene and compare_scenes say of a scene. */
import { type Box, boxSize, sceneBounds } from './geometry.ts';
import type { Pause } from './pause.ts';
import type { Scene, Texture } from './scene-model.ts';

/** Long lists are cut; the counts stay complete. */
const maxRows = 100;

export interface Summary {
  path: string;
  format: string;
  generator: string | null;
  file_bytes: number;
  counts: Record<string, number>;
  bounding_box: { min: number[]; max: number[]; size: number[] } | null;
  memory: { geometry_bytes: number; texture_bytes: number };
  meshes: { name: string; triangles: number; vertices: number; materials: string[] }[];
  materials: { name: string; color: string; used: boolean }[];
  textures: { name: string; bytes: number; width: number | null; height: number | null }[];
  animations: { name: string; channels: number; duration_secs: number }[];
  external_files: { uri: string; kind: string; exists: boolean; bytes: number }[];
  extensions: string[];
  geometry_readable: boolean;
  truncated: boolean;
}

/** Summarises; reads every vertex once for the bounding box. */
export async function summarize(scene: Scene, pause: Pause): Promise<Summary> {
  const box = await sceneBounds(scene, pause);
  const placed = scene.instances.reduce(
    (sum, item) => sum + (scene.geometries[item.geometry]?.indices.length ?? 0) / 3,
    0,
  );
  const lists = [scene.meshNames, scene.materials, scene.textures, scene.animations, scene.files];
  return {
    path: scene.path,
    format: scene.format,
    generator: scene.generator ?? null,
    file_bytes: scene.fileBytes,
    counts: { ...scene.counts, vertices: scene.vertices, triangles: scene.triangles, placed_triangles: placed },
    bounding_box: box === undefined ? null : roundedBox(box),
    memory: {
      geometry_bytes: geometryBytes(scene),
      texture_bytes: scene.textures.reduce((sum, t) => sum + gpuBytes(t), 0),
    },
    meshes: meshRows(scene),
    materials: scene.materials.slice(0, maxRows).map(({ name, color, used }) => ({ name, color: hex(color), used })),
    textures: scene.textures
      .slice(0, maxRows)
      .map(({ name, bytes, width, height }) => ({ name, bytes, width: width ?? null, height: height ?? null })),
    animations: scene.animations
      .slice(0, maxRows)
      .map(item => ({ ...item, duration_secs: rounded(item.duration_secs) })),
    external_files: scene.files.slice(0, maxRows).map(({ uri, kind, exists, bytes }) => ({ uri, kind, exists, bytes })),
    extensions: scene.extensions.slice(0, maxRows),
    geometry_readable: scene.decoded,
    truncated: lists.some(list => list.length > maxRows),
  };
}

function meshRows(scene: Scene): Summary['meshes'] {
  const rows = scene.meshNames
    .slice(0, maxRows)
    .map(name => ({ name, triangles: 0, vertices: 0, materials: new Set<string>() }));
  for (const part of scene.geometries) {
    const row = rows[part.mesh];
    if (row === undefined) continue;
    row.triangles += part.indices.length / 3;
    row.vertices += part.positions.length / 3;
    const material = scene.materials[part.material];
    if (material !== undefined) row.materials.add(material.name);
  }
  return rows.map(row => ({ ...row, materials: [...row.materials].slice(0, maxRows) }));
}

/** Bytes of the vertex and index data as read; arrays that parts share count once. */
function geometryBytes(scene: Scene): number {
  const arrays = new Set(scene.geometries.flatMap(part => [part.positions, part.normals, part.uvs, part.indices]));
  return [...arrays].reduce((sum, array) => sum + (array?.byteLength ?? 0), 0);
}

/** Uncompressed RGBA with mipmaps: what a texture takes on a graphics card. */
function gpuBytes({ width, height }: Texture): number {
  return Math.round(((width ?? 0) * (height ?? 0) * 4 * 4) / 3);
}

function roundedBox(box: Box): NonNullable<Summary['bounding_box']> {
  return { min: box.min.map(rounded), max: box.max.map(rounded), size: boxSize(box).map(rounded) };
}

/** Positions are 32-bit floats: more than seven digits would be noise. */
function rounded(value: number): number {
  return Number(value.toPrecision(7));
}

/** Linear colour as the sRGB `#rrggbb` that people know. */
function hex(color: readonly number[]): string {
  const digits = color.slice(0, 3).map(linear => {
    const encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${digits.join('')}`;
}
