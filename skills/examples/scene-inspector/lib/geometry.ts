/** Pure geometry: bounds, triangle lists, normals. */
import type { Pause } from './pause.ts';
import type { Geometry, Scene, Vector } from './scene-model.ts';

export interface Box {
  min: [number, number, number];
  max: [number, number, number];
}

/** Applies a column-major matrix to point `i` of `positions`, into `out`. */
export function transformPoint(matrix: readonly number[], positions: Float32Array, i: number, out: Float64Array): void {
  const x = positions[i * 3] ?? Number.NaN;
  const y = positions[i * 3 + 1] ?? Number.NaN;
  const z = positions[i * 3 + 2] ?? Number.NaN;
  out[0] = (matrix[0] as number) * x + (matrix[4] as number) * y + (matrix[8] as number) * z + (matrix[12] as number);
  out[1] = (matrix[1] as number) * x + (matrix[5] as number) * y + (matrix[9] as number) * z + (matrix[13] as number);
  out[2] = (matrix[2] as number) * x + (matrix[6] as number) * y + (matrix[10] as number) * z + (matrix[14] as number);
}

/** World-space bounds of all placed geometry; undefined when no vertex is finite. */
export async function sceneBounds(scene: Scene, pause: Pause): Promise<Box | undefined> {
  const box: Box = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  const point = new Float64Array(3);
  let work = 0;
  for (const { geometry, matrix } of scene.instances) {
    const part = scene.geometries[geometry];
    if (part === undefined) continue;
    const vertices = part.positions.length / 3;
    const usesAll = part.indices.length === 0;
    const total = usesAll ? vertices : part.indices.length;
    for (let n = 0; n < total; n++) {
      if (++work % 50_000 === 0) await pause();
      const index = usesAll ? n : (part.indices[n] ?? 0);
      if (index >= vertices) continue;
      transformPoint(matrix, part.positions, index, point);
      if (Number.isFinite((point[0] as number) + (point[1] as number) + (point[2] as number))) grow(box, point);
    }
  }
  return box.min[0] <= box.max[0] ? box : undefined;
}

function grow(box: Box, point: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    const value = point[axis] ?? 0;
    if (value < (box.min[axis] as number)) box.min[axis] = value;
    if (value > (box.max[axis] as number)) box.max[axis] = value;
  }
}

export function boxSize(box: Box): Vector {
  return [box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]];
}

export function boxCenter(box: Box): Vector {
  return [(box.max[0] + box.min[0]) / 2, (box.max[1] + box.min[1]) / 2, (box.max[2] + box.min[2]) / 2];
}

/** Turns a glTF index list of `mode` into a triangle list; lines and points give none. */
export function triangleList(indices: ArrayLike<number>, mode: number): Uint32Array {
  if (mode === 4) return Uint32Array.from(indices).subarray(0, indices.length - (indices.length % 3));
  if (mode !== 5 && mode !== 6) return new Uint32Array(0);
  const triangles = Math.max(0, indices.length - 2);
  const list = new Uint32Array(triangles * 3);
  for (let i = 0; i < triangles; i++) {
    // A strip turns every second triangle over; a fan keeps its first corner.
    const odd = mode === 5 && i % 2 === 1;
    list[i * 3] = indices[mode === 6 ? 0 : i] ?? 0;
    list[i * 3 + 1] = indices[odd ? i + 2 : i + 1] ?? 0;
    list[i * 3 + 2] = indices[odd ? i + 1 : i + 2] ?? 0;
  }
  return list;
}

/** Twice the area of triangle `t` times its unit normal, into `out`; false when a corner is missing or not finite. */
export function faceNormal(part: Geometry, t: number, out: Float64Array): boolean {
  const { positions, indices } = part;
  const a = (indices[t * 3] ?? 0) * 3;
  const b = (indices[t * 3 + 1] ?? 0) * 3;
  const c = (indices[t * 3 + 2] ?? 0) * 3;
  if (Math.max(a, b, c) + 2 >= positions.length) return false;
  const ux = (positions[b] as number) - (positions[a] as number);
  const uy = (positions[b + 1] as number) - (positions[a + 1] as number);
  const uz = (positions[b + 2] as number) - (positions[a + 2] as number);
  const vx = (positions[c] as number) - (positions[a] as number);
  const vy = (positions[c + 1] as number) - (positions[a + 1] as number);
  const vz = (positions[c + 2] as number) - (positions[a + 2] as number);
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
  return Number.isFinite(out[0] + out[1] + out[2]);
}

/** Area-weighted vertex normals (not normalised), for a geometry that came without. */
export async function smoothNormals(part: Geometry, pause: Pause): Promise<Float32Array> {
  const normals = new Float32Array(part.positions.length);
  const normal = new Float64Array(3);
  for (let t = 0; t < part.indices.length / 3; t++) {
    if (t % 20_000 === 19_999) await pause();
    if (!faceNormal(part, t, normal)) continue;
    for (let corner = 0; corner < 3; corner++) {
      const base = (part.indices[t * 3 + corner] ?? 0) * 3;
      for (let axis = 0; axis < 3; axis++)
        normals[base + axis] = (normals[base + axis] as number) + (normal[axis] as number);
    }
  }
  return normals;
}

/** Reads a number that the caller knows to be there. */
export function at(array: ArrayLike<number>, index: number): number {
  return array[index] ?? 0;
}
