/** OBJ indexes positions, uvs and normals apart; renderers and glTF want one index per vertex. */
import { at } from './geometry.ts';
import type { ObjFile } from './obj.ts';
import type { Pause } from './pause.ts';

export interface VertexRun {
  positions: Float32Array;
  normals: Float32Array | undefined;
  uvs: Float32Array | undefined;
  indices: Uint32Array;
}

/** Beyond this many variants of one position a new vertex is made unsearched, which bounds hostile files. */
const maxChain = 64;

/** One run of vertices per group of `obj`, in order; corners that agree in all three indices share a vertex. */
export async function mergeVertices(obj: ObjFile, pause: Pause): Promise<VertexRun[]> {
  const total = obj.groups.reduce((sum, group) => sum + group.corners.length / 3, 0);
  const positions = new Float32Array(total * 3);
  const normals = obj.normals.length > 0 ? new Float32Array(total * 3) : undefined;
  const uvs = obj.uvs.length > 0 ? new Float32Array(total * 2) : undefined;
  // Vertices of one position form a chain: first[position] -> next[vertex] -> ... -> -1.
  const first = new Int32Array(obj.positions.length / 3).fill(-1);
  const next = new Int32Array(total);
  const uvOf = new Int32Array(total);
  const normalOf = new Int32Array(total);
  let made = 0;
  let work = 0;

  const runs: VertexRun[] = [];
  for (const group of obj.groups) {
    const base = made;
    const corners = group.corners.take();
    const indices = new Uint32Array(corners.length / 3);
    for (let i = 0; i < indices.length; i++) {
      if (++work % 20_000 === 0) await pause();
      const [p, uv, normal] = [at(corners, i * 3), at(corners, i * 3 + 1), at(corners, i * 3 + 2)];
      const head = at(first, p);
      let vertex = head;
      // Vertices below `base` belong to an earlier group, whose run is closed.
      for (let steps = 0; vertex >= base && (uvOf[vertex] !== uv || normalOf[vertex] !== normal); steps++) {
        vertex = steps < maxChain ? at(next, vertex) : -1;
      }
      if (vertex < base) {
        vertex = made++;
        next[vertex] = head;
        first[p] = vertex;
        uvOf[vertex] = uv;
        normalOf[vertex] = normal;
        positions.set(obj.positions.subarray(p * 3, p * 3 + 3), vertex * 3);
        if (uv >= 0) uvs?.set(obj.uvs.subarray(uv * 2, uv * 2 + 2), vertex * 2);
        if (normal >= 0) normals?.set(obj.normals.subarray(normal * 3, normal * 3 + 3), vertex * 3);
      }
      indices[i] = vertex - base;
    }
    runs.push({
      positions: positions.subarray(base * 3, made * 3),
      normals: normals?.subarray(base * 3, made * 3),
      uvs: uvs?.subarray(base * 2, made * 2),
      indices,
    });
  }
  return runs;
}
