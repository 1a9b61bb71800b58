/** Reads Wavefront OBJ text into the scene model; knows nothing of files beyond the text it is given. */
import { SceneError } from './envelope.ts';
import { type Growable, growableFloats, growableInts } from './growable.ts';
import type { Pause } from './pause.ts';
import { type Finding, finding } from './scene-model.ts';

const maxLineBytes = 1024 * 1024;
const maxCorners = 15_000_000;

/** One run of faces that share a name and a material. */
export interface ObjGroup {
  name: string;
  material: string;
  /** Corners as (position, uv, normal) triples, zero-based, -1 where absent; three corners a triangle. */
  corners: Growable<Int32Array>;
}

export interface ObjFile {
  positions: Float32Array;
  uvs: Float32Array;
  normals: Float32Array;
  groups: ObjGroup[];
  materialLibraries: string[];
  /** Lines that draw `l`ines or `p`oints. */
  otherElements: number;
  findings: Finding[];
}

/** Parses; throws a SceneError when the bytes are no OBJ at all. Bad lines become findings. */
export async function parseObj(bytes: Uint8Array, pause: Pause): Promise<ObjFile> {
  if (bytes.subarray(0, 8192).includes(0)) {
    throw new SceneError('not_an_obj', 'The file is binary, not Wavefront OBJ text; check its extension.');
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const positions = growableFloats();
  const uvs = growableFloats();
  const normals = growableFloats();
  const groups = new Map<string, ObjGroup>();
  const materialLibraries: string[] = [];
  const bad = createTally();
  let group: ObjGroup | undefined;
  let name = 'default';
  let material = '';
  let otherElements = 0;
  let corners = 0;
  let line = 0;

  for (let start = 0; start < text.length; ) {
    let end = text.indexOf(10, start);
    if (end === -1) end = text.length;
    if (end - start > maxLineBytes)
      throw new SceneError('not_an_obj', `Line ${line + 1} is over 1 MB; this is no OBJ.`);
    const words = text.toString('utf8', start, end).trim().split(/\s+/);
    start = end + 1;
    line++;
    if (line % 2_000 === 0) await pause();
    const keyword = words[0] ?? '';
    if (keyword === 'v') pushNumbers(positions, words, 3, () => bad.add('bad_vertex', line));
    else if (keyword === 'vt') pushNumbers(uvs, words, 2, () => bad.add('bad_uv', line));
    else if (keyword === 'vn') pushNumbers(normals, words, 3, () => bad.add('bad_normal', line));
    else if (keyword === 'f') {
      group ??= groupOf(groups, name, material);
      corners += pushFace(group.corners, words, [positions.length / 3, uvs.length / 2, normals.length / 3], code =>
        bad.add(code, line),
      );
      if (corners > maxCorners) throw new SceneError('scene_too_large', 'The OBJ has over 5 million triangles.');
    } else if (keyword === 'o' || keyword === 'g') {
      name = words.slice(1).join(' ') || 'default';
      group = undefined;
    } else if (keyword === 'usemtl') {
      material = words.slice(1).join(' ');
      group = undefined;
    } else if (keyword === 'mtllib') materialLibraries.push(words.slice(1).join(' '));
    else if (keyword === 'l' || keyword === 'p') otherElements++;
  }
  if (positions.length === 0) {
    throw new SceneError('not_an_obj', 'The file holds no vertex line ("v x y z"): it is empty or no Wavefront OBJ.');
  }
  return {
    positions: positions.take(),
    uvs: uvs.take(),
    normals: normals.take(),
    groups: [...groups.values()],
    materialLibraries: [...new Set(materialLibraries)],
    otherElements,
    findings: bad.findings(),
  };
}

/** A missing number becomes NaN so that later indices keep their meaning. */
function pushNumbers(target: Growable<unknown>, words: string[], count: number, onBad: () => void): void {
  let fine = true;
  for (let i = 1; i <= count; i++) {
    const value = Number(words[i] ?? Number.NaN);
    if (!Number.isFinite(value)) fine = false;
    target.push(value);
  }
  if (!fine) onBad();
}

/** Splits a polygon into a fan of triangles; returns the corners added. */
function pushFace(
  target: Growable<Int32Array>,
  words: string[],
  sizes: readonly [number, number, number],
  onBad: (code: string) => void,
): number {
  const polygon: number[] = [];
  for (let i = 1; i < words.length; i++) {
    const parts = (words[i] ?? '').split('/');
    for (let k = 0; k < 3; k++) polygon.push(resolveIndex(parts[k], sizes[k] ?? 0));
  }
  const count = polygon.length / 3;
  if (count < 3) {
    onBad('bad_face');
    return 0;
  }
  for (let i = 0; i < polygon.length; i += 3) {
    if ((polygon[i] ?? -1) < 0) {
      onBad('index_out_of_range');
      return 0;
    }
  }
  for (let i = 1; i < count - 1; i++) {
    for (const corner of [0, i, i + 1]) {
      for (let k = 0; k < 3; k++) target.push(polygon[corner * 3 + k] ?? -1);
    }
  }
  return (count - 2) * 3;
}

/** One-based or, when negative, counted back from the last; -1 for absent or out of range. */
function resolveIndex(word: string | undefined, size: number): number {
  if (word === undefined || word === '') return -1;
  const value = Number(word);
  if (!Number.isInteger(value) || value === 0) return -1;
  const index = value > 0 ? value - 1 : size + value;
  return index >= 0 && index < size ? index : -1;
}

function groupOf(groups: Map<string, ObjGroup>, name: string, material: string): ObjGroup {
  const key = `${name}\n${material}`;
  const known = groups.get(key);
  if (known !== undefined) return known;
  if (groups.size >= 100_000) throw new SceneError('scene_too_large', 'The OBJ has over 100,000 groups.');
  const group = { name, material, corners: growableInts() };
  groups.set(key, group);
  return group;
}

const tallyTexts: Record<string, string> = {
  bad_vertex: 'vertex lines without three finite numbers',
  bad_uv: 'texture coordinate lines without two finite numbers',
  bad_normal: 'normal lines without three finite numbers',
  bad_face: 'faces with fewer than three corners were skipped',
  index_out_of_range: 'faces with an index that no earlier vertex has were skipped',
};

/** Counts bad lines by kind and remembers the first of each. */
function createTally() {
  const rows = new Map<string, { first: number; count: number }>();
  return {
    add(code: string, line: number): void {
      const row = rows.get(code);
      if (row === undefined) rows.set(code, { first: line, count: 1 });
      else row.count++;
    },
    findings: () =>
      [...rows].map(([code, { first, count }]) => {
        const severity = code === 'bad_face' || code === 'bad_uv' ? 'warning' : 'error';
        return finding(
          severity,
          code,
          `${count} ${tallyTexts[code]}; the first is line ${first}.`,
          `line ${first}`,
          count,
        );
      }),
  };
}
