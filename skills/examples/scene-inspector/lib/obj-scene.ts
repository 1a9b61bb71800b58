/** Builds the scene model of an OBJ file, its material libraries and their images. */
import { type MtlMaterial, parseMtl } from './mtl.ts';
import { parseObj } from './obj.ts';
import { mergeVertices } from './obj-vertices.ts';
import type { Pause } from './pause.ts';
import { describeTexture, readResource, shorten } from './resources.ts';
import { type ExternalFile, type Finding, finding, identity, type Scene, type Texture } from './scene-model.ts';

const plain = [0.6, 0.6, 0.6, 1] as const;
const maxLibraries = 64;
const maxImages = 1024;

/** Reads an OBJ scene; `bytes` is the content of the file at `path`. */
export async function readObjScene(path: string, bytes: Uint8Array, pause: Pause): Promise<Scene> {
  const obj = await parseObj(bytes, pause);
  const library = await readLibraries(path, obj.materialLibraries.slice(0, maxLibraries), pause);
  const findings = [...obj.findings, ...library.findings];

  const used = new Set(obj.groups.map(group => group.material));
  const names = [...new Set([...library.materials.keys(), ...used])].filter(name => name !== '');
  const place = new Map(names.map((name, index) => [name, index]));
  const materials = names.map(name => {
    const known = library.materials.get(name);
    if (known === undefined) {
      const message = `No material library defines "${shorten(name)}"; it is drawn grey.`;
      findings.push(finding('warning', 'undefined_material', message, `usemtl ${shorten(name)}`));
    }
    return { name: shorten(name), color: known?.color ?? plain, used: used.has(name) };
  });

  const meshNames = [...new Set(obj.groups.map(group => shorten(group.name)))];
  const meshPlace = new Map(meshNames.map((name, index) => [name, index]));
  const runs = await mergeVertices(obj, pause);
  const geometries = obj.groups.map((group, i) => {
    const empty = { positions: new Float32Array(), normals: undefined, uvs: undefined, indices: new Uint32Array() };
    const name = shorten(group.name);
    return { name, mesh: meshPlace.get(name) ?? -1, material: place.get(group.material) ?? -1, ...(runs[i] ?? empty) };
  });

  return {
    path,
    format: 'obj',
    fileBytes: bytes.byteLength,
    generator: undefined,
    counts: {
      nodes: 0,
      meshes: meshNames.length,
      primitives: geometries.length,
      materials: materials.length,
      textures: library.textures.length,
      images: library.textures.length,
      animations: 0,
      skins: 0,
      cameras: 0,
    },
    vertices: obj.positions.length / 3,
    triangles: geometries.reduce((sum, part) => sum + part.indices.length / 3, 0),
    meshNames,
    geometries,
    instances: geometries.map((_, geometry) => ({ geometry, matrix: identity })),
    materials,
    textures: library.textures,
    animations: [],
    files: library.files,
    extensions: [],
    findings,
    decoded: true,
  };
}

async function readLibraries(path: string, libraries: string[], pause: Pause) {
  const materials = new Map<string, MtlMaterial>();
  const textures: Texture[] = [];
  const files: ExternalFile[] = [];
  const findings: Finding[] = [];
  const images = new Set<string>();
  for (const name of libraries) {
    const {
      bytes,
      file,
      findings: found,
    } = await readResource(path, name, 'material_library', `mtllib ${shorten(name)}`);
    findings.push(...found);
    if (file !== undefined) files.push(file);
    for (const material of parseMtl(Buffer.from(bytes ?? []).toString('utf8'))) {
      materials.set(material.name, material);
      for (const image of material.images) images.add(image);
    }
  }
  for (const image of [...images].slice(0, maxImages)) {
    await pause();
    const { bytes, file, findings: found } = await readResource(path, image, 'image', `map ${shorten(image)}`);
    findings.push(...found);
    if (file !== undefined) files.push(file);
    textures.push(describeTexture(image, undefined, bytes));
  }
  return { materials, textures, files, findings };
}
