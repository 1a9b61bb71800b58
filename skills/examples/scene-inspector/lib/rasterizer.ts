/** A software rasteriser: triangles into a colour buffer with a depth buffer, shaded per pixel. */
import type { Camera } from './camera.ts';
import { at, faceNormal, smoothNormals, transformPoint } from './geometry.ts';
import type { Pause } from './pause.ts';
import type { Geometry, Scene } from './scene-model.ts';
import { createShader, type Shader } from './shading.ts';

/** RGBA samples, 8 bits each in sRGB; alpha 255 where something was drawn. */
export interface Samples {
  width: number;
  height: number;
  rgba: Uint8ClampedArray;
  triangles: number;
}

/** Pixels looked at between two checkpoints: a few milliseconds of work. */
const workSlice = 200_000;
/** A vertex normal further than 30 degrees from its face is a hard edge: the face's own normal is used. */
const creaseCosine = 0.866;
const grey = [0.6, 0.6, 0.6] as const;

/** One projected corner: screen x, y, 1/depth, then the normal. */
type Corner = Float64Array;

/** Draws all placed geometry. `normals` caches what was computed for geometries without, for the next frame. */
export async function rasterize(
  scene: Scene,
  camera: Camera,
  size: { width: number; height: number },
  normals: Map<Geometry, Float32Array>,
  pause: Pause,
): Promise<Samples> {
  const { width, height } = size;
  const rgba = new Uint8ClampedArray(width * height * 4);
  const depth = new Float32Array(width * height);
  const corners: [Corner, Corner, Corner] = [new Float64Array(6), new Float64Array(6), new Float64Array(6)];
  const shader = createShader(camera);
  const face = new Float64Array(3);
  const point = new Float64Array(3);
  const light = new Float64Array(2);
  let work = 0;
  let triangles = 0;

  for (const { geometry, matrix } of scene.instances) {
    const part = scene.geometries[geometry];
    if (part === undefined) continue;
    let vertexNormals = part.normals ?? normals.get(part);
    if (vertexNormals === undefined) {
      vertexNormals = await smoothNormals(part, pause);
      normals.set(part, vertexNormals);
    }
    const turn = normalMatrix(matrix);
    const color = scene.materials[part.material]?.color ?? grey;
    for (let t = 0; t < part.indices.length / 3; t++) {
      work += 20;
      if (work > workSlice) {
        work = 0;
        await pause();
      }
      if (!faceNormal(part, t, face) || !turnNormal(turn, face, 0)) continue;
      let visible = true;
      for (let k = 0; k < 3 && visible; k++) {
        const corner = corners[k] as Corner;
        const vertex = part.indices[t * 3 + k] as number;
        transformPoint(matrix, part.positions, vertex, point);
        visible = project(camera, point, width, height, corner);
        cornerNormal(vertexNormals, vertex, turn, face, corner);
      }
      if (!visible) continue;
      triangles++;
      work += fill(corners[0], corners[1], corners[2], color, shader, camera, rgba, depth, width, height, light);
    }
  }
  return { width, height, rgba, triangles };
}

/** To screen space; false when the point is not finite or not before the camera. */
function project(camera: Camera, point: Float64Array, width: number, height: number, out: Corner): boolean {
  const x = (point[0] as number) - camera.eye[0];
  const y = (point[1] as number) - camera.eye[1];
  const z = (point[2] as number) - camera.eye[2];
  const depth = x * camera.forward[0] + y * camera.forward[1] + z * camera.forward[2];
  if (!(depth > 0)) return false;
  const sx = (x * camera.right[0] + y * camera.right[1] + z * camera.right[2]) / (depth * camera.tanX);
  const sy = (x * camera.up[0] + y * camera.up[1] + z * camera.up[2]) / (depth * camera.tanY);
  out[0] = (0.5 + 0.5 * sx) * width;
  out[1] = (0.5 - 0.5 * sy) * height;
  out[2] = 1 / depth;
  return Number.isFinite(out[0] + out[1] + out[2]);
}

/** The vertex normal in world space, or the face's where there is none or the edge is hard. */
function cornerNormal(
  normals: Float32Array,
  vertex: number,
  turn: Float64Array,
  face: Float64Array,
  out: Corner,
): void {
  out[3] = normals[vertex * 3] as number;
  out[4] = normals[vertex * 3 + 1] as number;
  out[5] = normals[vertex * 3 + 2] as number;
  if (turnNormal(turn, out, 3)) {
    const cosine =
      (out[3] as number) * (face[0] as number) +
      (out[4] as number) * (face[1] as number) +
      (out[5] as number) * (face[2] as number);
    if (Math.abs(cosine) > creaseCosine) return;
  }
  out[3] = face[0] as number;
  out[4] = face[1] as number;
  out[5] = face[2] as number;
}

/** Fills one triangle; returns the number of pixels looked at. */
function fill(
  a: Corner,
  b: Corner,
  c: Corner,
  color: ArrayLike<number>,
  shader: Shader,
  camera: Camera,
  rgba: Uint8ClampedArray,
  depth: Float32Array,
  width: number,
  height: number,
  light: Float64Array,
): number {
  const ax = a[0] as number;
  const ay = a[1] as number;
  const az = a[2] as number;
  const bx = b[0] as number;
  const by = b[1] as number;
  const bz = b[2] as number;
  const cx = c[0] as number;
  const cy = c[1] as number;
  const cz = c[2] as number;
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
  const right = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
  const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
  const bottom = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
  if (area === 0 || left > right || top > bottom) return 0;
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const px = x + 0.5;
      const py = y + 0.5;
      const wa = ((bx - px) * (cy - py) - (by - py) * (cx - px)) / area;
      const wb = ((cx - px) * (ay - py) - (cy - py) * (ax - px)) / area;
      const wc = 1 - wa - wb;
      if (wa < 0 || wb < 0 || wc < 0) continue;
      // 1/depth is linear on the screen, and larger is nearer; an empty pixel has 0.
      const near = wa * az + wb * bz + wc * cz;
      const pixel = y * width + x;
      if (near <= (depth[pixel] as number)) continue;
      depth[pixel] = near;
      let nx = wa * (a[3] as number) + wb * (b[3] as number) + wc * (c[3] as number);
      let ny = wa * (a[4] as number) + wb * (b[4] as number) + wc * (c[4] as number);
      let nz = wa * (a[5] as number) + wb * (b[5] as number) + wc * (c[5] as number);
      const toCamera = nx * camera.forward[0] + ny * camera.forward[1] + nz * camera.forward[2] > 0 ? -1 : 1;
      const scale = toCamera / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
      nx *= scale;
      ny *= scale;
      nz *= scale;
      shader(nx, ny, nz, light);
      for (let k = 0; k < 3; k++)
        rgba[pixel * 4 + k] = encode((color[k] as number) * (light[0] as number) + (light[1] as number));
      rgba[pixel * 4 + 3] = 255;
    }
  }
  return (right - left + 1) * (bottom - top + 1);
}

/** Linear light to 8-bit sRGB, with a soft shoulder so that highlights keep their colour. */
function encode(linear: number): number {
  const toned = linear > 0.75 ? 0.75 + 0.25 * (1 - Math.exp((0.75 - linear) / 0.25)) : linear;
  return 255 * (toned <= 0.0031308 ? 12.92 * toned : 1.055 * toned ** (1 / 2.4) - 0.055);
}

/** Cofactors of the upper 3x3: turns normals rightly under uneven scale and mirroring. */
function normalMatrix(m: readonly number[]): Float64Array {
  const e = (row: number, column: number): number => at(m, (column % 3) * 4 + (row % 3));
  const out = new Float64Array(9);
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      out[row * 3 + column] =
        e(row + 1, column + 1) * e(row + 2, column + 2) - e(row + 1, column + 2) * e(row + 2, column + 1);
    }
  }
  return out;
}

/** Turns and normalises the vector at `offset` in place; false when no direction is left. Runs four times a triangle. */
function turnNormal(turn: Float64Array, vectors: Float64Array, offset: number): boolean {
  const x = vectors[offset] as number;
  const y = vectors[offset + 1] as number;
  const z = vectors[offset + 2] as number;
  const tx = (turn[0] as number) * x + (turn[1] as number) * y + (turn[2] as number) * z;
  const ty = (turn[3] as number) * x + (turn[4] as number) * y + (turn[5] as number) * z;
  const tz = (turn[6] as number) * x + (turn[7] as number) * y + (turn[8] as number) * z;
  const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
  if (!(length > 0) || length === Infinity) return false;
  vectors[offset] = tx / length;
  vectors[offset + 1] = ty / length;
  vectors[offset + 2] = tz / length;
  return true;
}
