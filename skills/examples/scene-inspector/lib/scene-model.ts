/** What every reader produces and every tool works on, whatever the file format was. */

export type SceneFormat = 'gltf' | 'glb' | 'obj';
export type Severity = 'error' | 'warning' | 'info';
export type Vector = readonly [number, number, number];

/** Something noticed about a scene; `code` is stable. */
export interface Finding {
  severity: Severity;
  code: string;
  message: string;
  /** The part of the file it is about, such as `meshes[2].primitives[0]` or `line 14`. */
  where: string;
  count: number;
}

/** Triangles with one material, in their own space. */
export interface Geometry {
  name: string;
  /** Index of the mesh it belongs to. */
  mesh: number;
  positions: Float32Array;
  normals: Float32Array | undefined;
  uvs: Float32Array | undefined;
  /** Three per triangle, as the file has them: an index may be out of range. */
  indices: Uint32Array;
  /** -1 means none. */
  material: number;
}

/** One placement of a geometry; `matrix` is column-major 4x4. */
export interface Instance {
  geometry: number;
  matrix: readonly number[];
}

export interface Material {
  name: string;
  /** Linear red, green, blue, alpha. */
  color: readonly [number, number, number, number];
  used: boolean;
}

export interface Texture {
  name: string;
  bytes: number;
  width: number | undefined;
  height: number | undefined;
}

/** A file that the scene refers to. */
export interface ExternalFile {
  uri: string;
  kind: 'buffer' | 'image' | 'material_library';
  exists: boolean;
  bytes: number;
}

export interface Animation {
  name: string;
  channels: number;
  duration_secs: number;
}

export interface Scene {
  path: string;
  format: SceneFormat;
  fileBytes: number;
  generator: string | undefined;
  counts: {
    nodes: number;
    meshes: number;
    primitives: number;
    materials: number;
    textures: number;
    images: number;
    animations: number;
    skins: number;
    cameras: number;
  };
  /** As declared by the file: each vertex and triangle once, however often it is placed. */
  vertices: number;
  triangles: number;
  meshNames: string[];
  geometries: Geometry[];
  instances: Instance[];
  materials: Material[];
  textures: Texture[];
  animations: Animation[];
  files: ExternalFile[];
  extensions: string[];
  /** What the reader noticed. */
  findings: Finding[];
  /** False when the geometry could not be read; then `geometries` and `instances` are empty. */
  decoded: boolean;
}

export const identity: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export function finding(severity: Severity, code: string, message: string, where: string, count = 1): Finding {
  return { severity, code, message, where, count };
}
