/** World matrices of the nodes that a glTF scene shows. Call it after `checkStructure` found the hierarchy sound. */
import { numberOf, type Row, rows } from './gltf-container.ts';
import { identity } from './scene-model.ts';

type Matrix = readonly number[];

export interface PlacedMesh {
  mesh: number;
  matrix: Matrix;
}

/** Meshes of the default scene (else the first, else every root), parents before children, without recursion. */
export function placedMeshes(json: Row): PlacedMesh[] {
  const nodes = rows(json, 'nodes');
  const placed: PlacedMesh[] = [];
  const open: { node: number; matrix: Matrix }[] = rootsOf(json, nodes).map(node => ({ node, matrix: identity }));
  // A root listed twice is drawn once.
  const seen = new Set<number>();
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const node = nodes[entry.node];
    if (node === undefined || seen.has(entry.node)) continue;
    seen.add(entry.node);
    const matrix = multiply(entry.matrix, localMatrix(node));
    if (typeof node.mesh === 'number') placed.push({ mesh: node.mesh, matrix });
    for (const child of (node.children ?? []) as number[]) open.push({ node: child, matrix });
  }
  return placed;
}

function rootsOf(json: Row, nodes: Row[]): number[] {
  const scene = rows(json, 'scenes')[numberOf(json.scene ?? 0)];
  if (scene !== undefined) return (scene.nodes ?? []) as number[];
  const children = new Set(nodes.flatMap(node => (node.children ?? []) as number[]));
  return nodes.map((_, index) => index).filter(index => !children.has(index));
}

function localMatrix(node: Row): Matrix {
  if (node.matrix !== undefined) return node.matrix as number[];
  const [tx = 0, ty = 0, tz = 0] = (node.translation ?? []) as number[];
  const [x = 0, y = 0, z = 0, w = 1] = (node.rotation ?? []) as number[];
  const [sx = 1, sy = 1, sz = 1] = (node.scale ?? []) as number[];
  return [
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + z * w) * sx,
    2 * (x * z - y * w) * sx,
    0,
    2 * (x * y - z * w) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + x * w) * sy,
    0,
    2 * (x * z + y * w) * sz,
    2 * (y * z - x * w) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    tx,
    ty,
    tz,
    1,
  ];
}

function multiply(a: Matrix, b: Matrix): Matrix {
  if (a === identity) return b;
  const product: number[] = [];
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += (a[k * 4 + row] ?? 0) * (b[column * 4 + k] ?? 0);
      product.push(sum);
    }
  }
  return product;
}
