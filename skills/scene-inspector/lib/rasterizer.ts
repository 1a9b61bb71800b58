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

/** Pixels looked at between two checkpoints: some 20 ms of work. */
const workSlice = 2_000_000;
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
      if (!faceNormal(part, t, face) || !turnNormal(turn, face)) continue;
      let visible = true;
      for (let k = 0; k < 3 && visible; k++) {
        const corner = corners[k] as Corner;
        const vertex = at(part.indices, t * 3 + k);
        transformPoint(matrix, part.positions, vertex, point);
        visible = project(camera, point, width, height, corner);
        cornerNormal(vertexNormals, vertex, turn, face, corner);
      }
      if (!visible) continue;
      triangles++;
      work += fill(corners, color, shader, camera, rgba, depth, width, height);
    }
  }
  return { width, height, rgba, triangles };
}

/** To screen space; false when the point is not finite or not before the camera. */
function project(camera: Camera, point: Float64Array, width: number, height: number, out: Corner): boolean {
  const x = at(point, 0) - camera.eye[0];
  const y = at(point, 1) - camera.eye[1];
  const z = at(point, 2) - camera.eye[2];
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
  out[3] = at(normals, vertex * 3);
  out[4] = at(normals, vertex * 3 + 1);
  out[5] = at(normals, vertex * 3 + 2);
  const own = out.subarray(3, 6);
  if (turnNormal(turn, own)) {
    const cosine = at(own, 0) * at(face, 0) + at(own, 1) * at(face, 1) + at(own, 2) * at(face, 2);
    if (Math.abs(cosine) > creaseCosine) return;
  }
  own.set(face);
}

/** Fills one triangle; returns the number of pixels looked at. */
function fill(
  [a, b, c]: [Corner, Corner, Corner],
  color: ArrayLike<number>,
  shader: Shader,
  camera: Camera,
  rgba: Uint8ClampedArray,
  depth: Float32Array,
  width: number,
  height: number,
): number {
  const [ax, ay, az, bx, by, bz] = [at(a, 0), at(a, 1), at(a, 2), at(b, 0), at(b, 1), at(b, 2)];
  const [cx, cy, cz] = [at(c, 0), at(c, 1), at(c, 2)];
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
  const right = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
  const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
  const bottom = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
  if (area === 0 || left > right || top > bottom) return 0;
  const light = new Float64Array(2);
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
      if (near <= at(depth, pixel)) continue;
      depth[pixel] = near;
      let nx = wa * at(a, 3) + wb * at(b, 3) + wc * at(c, 3);
      let ny = wa * at(a, 4) + wb * at(b, 4) + wc * at(c, 4);
      let nz = wa * at(a, 5) + wb * at(b, 5) + wc * at(c, 5);
      const toCamera = nx * camera.forward[0] + ny * camera.forward[1] + nz * camera.forward[2] > 0 ? -1 : 1;
      const scale = toCamera / (Math.hypot(nx, ny, nz) || 1);
      nx *= scale;
      ny *= scale;
      nz *= scale;
      shader(nx, ny, nz, light);
      for (let k = 0; k < 3; k++) rgba[pixel * 4 + k] = encode(at(color, k) * at(light, 0) + at(light, 1));
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

/** Turns and normalises in place; false when no direction is left. */
function turnNormal(turn: Float64Array, normal: Float64Array): boolean {
  const [x, y, z] = [at(normal, 0), at(normal, 1), at(normal, 2)];
  for (let row = 0; row < 3; row++) {
    normal[row] = at(turn, row * 3) * x + at(turn, row * 3 + 1) * y + at(turn, row * 3 + 2) * z;
  }
  const length = Math.hypot(at(normal, 0), at(normal, 1), at(normal, 2));
  if (!(length > 0) || length === Infinity) return false;
  for (let row = 0; row < 3; row++) normal[row] = at(normal, row) / length;
  return true;
}
