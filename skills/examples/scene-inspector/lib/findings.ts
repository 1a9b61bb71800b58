/** Looks for what is wrong with a scene that could be read: geometry, materials, textures. */
import { at, faceNormal } from './geometry.ts';
import type { Pause } from './pause.ts';
import { type Finding, finding, type Geometry, type Scene } from './scene-model.ts';

export interface Limits {
  maxTextureSize: number;
  maxTriangles: number;
}

/** All findings, worst first: the reader's own and those of these checks. */
export async function findProblems(scene: Scene, limits: Limits, pause: Pause): Promise<Finding[]> {
  const found = [...scene.findings, ...materialFindings(scene), ...textureFindings(scene, limits)];
  for (const [i, part] of scene.geometries.entries()) {
    await pause();
    found.push(...(await geometryFindings(part, `${part.name} (part ${i})`, pause)));
  }
  if (scene.triangles > limits.maxTriangles) {
    const message = `${scene.triangles} triangles are over the budget of ${limits.maxTriangles}; decimate the heaviest mesh.`;
    found.push(finding('warning', 'over_triangle_budget', message, 'scene'));
  }
  if (scene.decoded) found.push(...placementFindings(scene));
  const order = { error: 0, warning: 1, info: 2 };
  return found.sort((a, b) => order[a.severity] - order[b.severity]);
}

async function geometryFindings(part: Geometry, where: string, pause: Pause): Promise<Finding[]> {
  const vertices = part.positions.length / 3;
  let notFinite = 0;
  for (let i = 0; i < vertices; i++) {
    if (i % 50_000 === 49_999) await pause();
    if (!Number.isFinite(at(part.positions, i * 3) + at(part.positions, i * 3 + 1) + at(part.positions, i * 3 + 2)))
      notFinite++;
  }
  let outOfRange = 0;
  let degenerate = 0;
  const normal = new Float64Array(3);
  for (let t = 0; t < part.indices.length / 3; t++) {
    if (t % 20_000 === 19_999) await pause();
    const [a, b, c] = [at(part.indices, t * 3), at(part.indices, t * 3 + 1), at(part.indices, t * 3 + 2)];
    if (Math.max(a, b, c) >= vertices) outOfRange++;
    else if (a === b || b === c || a === c) degenerate++;
    else if (faceNormal(part, t, normal) && normal.every(value => value === 0)) degenerate++;
  }
  let zeroNormals = 0;
  for (let i = 0; part.normals !== undefined && i < vertices; i++) {
    if (i % 50_000 === 49_999) await pause();
    const length = Math.hypot(at(part.normals, i * 3), at(part.normals, i * 3 + 1), at(part.normals, i * 3 + 2));
    if (!(length > 0.5 && length < 2)) zeroNormals++;
  }
  const found: Finding[] = [];
  const add = (severity: Finding['severity'], code: string, count: number, text: string): void => {
    if (count > 0) found.push(finding(severity, code, `${count} ${text}`, where, count));
  };
  add('error', 'position_not_finite', notFinite, 'vertices have a position that is NaN or infinite.');
  add('error', 'index_out_of_range', outOfRange, `triangles use an index beyond the ${vertices} vertices.`);
  add('warning', 'degenerate_triangle', degenerate, 'triangles have no area; remove them or merge their vertices.');
  add('warning', 'bad_normal', zeroNormals, 'normals are not of unit length; recompute the normals.');
  if (part.indices.length === 0) add('info', 'no_triangles', 1, 'part has lines or points only and is not drawn.');
  return found;
}

function materialFindings(scene: Scene): Finding[] {
  return scene.materials
    .map((material, i) => ({ material, i }))
    .filter(({ material }) => !material.used)
    .map(({ material, i }) =>
      finding('info', 'unused_material', `No mesh uses "${material.name}".`, `materials[${i}]`),
    );
}

function textureFindings(scene: Scene, limits: Limits): Finding[] {
  const found: Finding[] = [];
  for (const [i, { name, bytes, width, height }] of scene.textures.entries()) {
    const where = `images[${i}]`;
    if (width === undefined || height === undefined) {
      if (bytes > 0)
        found.push(finding('info', 'unknown_image', `"${name}" is no PNG or JPEG that can be measured.`, where));
    } else if (Math.max(width, height) > limits.maxTextureSize) {
      const message = `"${name}" is ${width} x ${height}, over ${limits.maxTextureSize}; scale it down.`;
      found.push(finding('warning', 'oversize_texture', message, where));
    } else if (!isPowerOfTwo(width) || !isPowerOfTwo(height)) {
      const message = `"${name}" is ${width} x ${height}; powers of two compress and mipmap better.`;
      found.push(finding('info', 'texture_not_power_of_two', message, where));
    }
  }
  return found;
}

function placementFindings(scene: Scene): Finding[] {
  const placed = new Set(scene.instances.map(item => scene.geometries[item.geometry]?.mesh));
  const found = scene.meshNames.flatMap((name, i) =>
    placed.has(i)
      ? []
      : [finding('warning', 'mesh_not_in_scene', `No node of the scene shows "${name}".`, `meshes[${i}]`)],
  );
  if (scene.instances.length === 0) found.push(finding('warning', 'empty_scene', 'The scene shows no mesh.', 'scene'));
  return found;
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0;
}
