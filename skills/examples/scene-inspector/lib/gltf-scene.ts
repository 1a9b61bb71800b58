/** Builds the scene model of a glTF document; whatever is wrong with it becomes findings where it can. */
import { SceneError } from './envelope.ts';
import { checkStructure } from './gltf-check.ts';
import { type Container, isRow, nameOf, numberOf, type Row, rows } from './gltf-container.ts';
import { decodeGeometry } from './gltf-geometry.ts';
import { placedMeshes } from './gltf-nodes.ts';
import type { Pause } from './pause.ts';
import { describeTexture, readResource, shorten } from './resources.ts';
import {
  type Animation,
  type ExternalFile,
  type Finding,
  finding,
  type Geometry,
  type Instance,
  type Material,
  type Scene,
  type Texture,
} from './scene-model.ts';

const compressed = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_meshopt_compression'];
const maxInstances = 1_000_000;

/** Reads a glTF scene from an opened container; `path` locates the files it refers to. */
export async function readGltfScene(
  path: string,
  fileBytes: number,
  container: Container,
  pause: Pause,
): Promise<Scene> {
  const { json, format } = container;
  const files: ExternalFile[] = [];
  const findings: Finding[] = [];
  const buffers = await readBuffers(path, container, files, findings, pause);
  findings.push(
    ...checkStructure(
      json,
      buffers.map(bytes => ({ bytes: bytes?.byteLength })),
    ),
  );
  const textures = await readImages(path, json, buffers, files, findings, pause);

  const extensions = strings(json.extensionsUsed);
  const packed = extensions.filter(name => compressed.includes(name));
  if (packed.length > 0) {
    const message = `The geometry is compressed with ${packed.join(', ')}, which is not decoded here.`;
    findings.push(finding('warning', 'compressed_geometry', message, 'extensionsUsed'));
  }
  const sound = packed.length === 0 && !findings.some(item => item.severity === 'error' && blocks(item));
  let geometries: Geometry[] = [];
  let instances: Instance[] = [];
  let decoded = false;
  if (sound) {
    const present = buffers.map(bytes => bytes ?? new Uint8Array());
    await pause();
    geometries = await decodeGeometry(json, present);
    instances = place(json, geometries);
    decoded = true;
  }
  const primitives = rows(json, 'meshes').flatMap(mesh => (Array.isArray(mesh.primitives) ? mesh.primitives : []));
  const asset = json.asset;
  const generator = isRow(asset) && typeof asset.generator === 'string' ? shorten(asset.generator) : undefined;
  return {
    path,
    format,
    fileBytes,
    generator,
    counts: {
      nodes: rows(json, 'nodes').length,
      meshes: rows(json, 'meshes').length,
      primitives: primitives.length,
      materials: rows(json, 'materials').length,
      textures: rows(json, 'textures').length,
      images: rows(json, 'images').length,
      animations: rows(json, 'animations').length,
      skins: rows(json, 'skins').length,
      cameras: rows(json, 'cameras').length,
    },
    ...declaredSizes(json, primitives.filter(isRow)),
    meshNames: rows(json, 'meshes').map((mesh, i) => nameOf(mesh, `mesh ${i}`)),
    geometries,
    instances,
    materials: readMaterials(json, primitives),
    textures,
    animations: readAnimations(json),
    files,
    extensions,
    findings,
    decoded,
  };
}

/** Only a missing image leaves the geometry readable. */
function blocks(item: Finding): boolean {
  return !item.where.startsWith('images[') && !item.where.startsWith('textures[');
}

async function readBuffers(
  path: string,
  container: Container,
  files: ExternalFile[],
  findings: Finding[],
  pause: Pause,
) {
  const buffers: (Uint8Array<ArrayBuffer> | undefined)[] = [];
  for (const [i, row] of rows(container.json, 'buffers').entries()) {
    const where = `buffers[${i}]`;
    let bytes = i === 0 ? container.bin : undefined;
    if (typeof row.uri === 'string') {
      await pause();
      const resource = await readResource(path, row.uri, 'buffer', where);
      bytes = resource.bytes;
      findings.push(...resource.findings);
      if (resource.file !== undefined) files.push(resource.file);
    } else if (bytes === undefined) {
      findings.push(finding('error', 'missing_buffer', 'The buffer has neither a uri nor a binary chunk.', where));
    }
    if (bytes !== undefined && numberOf(row.byteLength) > bytes.byteLength) {
      const message = `The buffer is cut short: ${row.byteLength} bytes are promised, ${bytes.byteLength} are there.`;
      findings.push(finding('error', 'buffer_too_short', message, where));
    }
    buffers.push(bytes);
  }
  return buffers;
}

async function readImages(
  path: string,
  json: Row,
  buffers: (Uint8Array | undefined)[],
  files: ExternalFile[],
  findings: Finding[],
  pause: Pause,
): Promise<Texture[]> {
  const textures: Texture[] = [];
  const views = rows(json, 'bufferViews');
  for (const [i, row] of rows(json, 'images').entries()) {
    const where = `images[${i}]`;
    const mime = typeof row.mimeType === 'string' ? row.mimeType : undefined;
    let bytes: Uint8Array | undefined;
    let name = nameOf(row, `image ${i}`);
    if (typeof row.uri === 'string') {
      await pause();
      const resource = await readResource(path, row.uri, 'image', where);
      bytes = resource.bytes;
      findings.push(...resource.findings);
      if (resource.file !== undefined) {
        files.push(resource.file);
        name = resource.file.uri;
      }
    } else {
      const view = views[numberOf(row.bufferView)];
      const start = numberOf(view?.byteOffset ?? 0);
      bytes = buffers[numberOf(view?.buffer)]?.subarray(start, start + numberOf(view?.byteLength));
      if (bytes === undefined) findings.push(finding('error', 'missing_image', 'The image has no data.', where));
    }
    textures.push(describeTexture(name, mime, bytes));
  }
  return textures;
}

function place(json: Row, geometries: readonly Geometry[]): Instance[] {
  const byMesh = new Map<number, number[]>();
  geometries.forEach((part, index) => {
    const known = byMesh.get(part.mesh);
    if (known === undefined) byMesh.set(part.mesh, [index]);
    else known.push(index);
  });
  const instances: Instance[] = [];
  for (const { mesh, matrix } of placedMeshes(json)) {
    for (const geometry of byMesh.get(mesh) ?? []) instances.push({ geometry, matrix });
    if (instances.length > maxInstances) {
      throw new SceneError('scene_too_large', 'The scene places over a million mesh parts.');
    }
  }
  return instances;
}

function declaredSizes(json: Row, primitives: Row[]): { vertices: number; triangles: number } {
  const accessors = rows(json, 'accessors');
  const countOf = (index: unknown): number => Math.max(0, Math.floor(numberOf(accessors[numberOf(index)]?.count))) || 0;
  const positions = new Set<unknown>();
  let triangles = 0;
  for (const { attributes, indices, mode } of primitives) {
    const position = isRow(attributes) ? attributes.POSITION : undefined;
    positions.add(position);
    const corners = countOf(indices === undefined ? position : indices);
    if (mode === undefined || mode === 4) triangles += Math.floor(corners / 3);
    else if (mode === 5 || mode === 6) triangles += Math.max(0, corners - 2);
  }
  return { vertices: [...positions].reduce<number>((sum, index) => sum + countOf(index), 0), triangles };
}

function readMaterials(json: Row, primitives: unknown[]): Material[] {
  const used = new Set(primitives.filter(isRow).map(primitive => primitive.material));
  return rows(json, 'materials').map((row, i) => {
    const pbr = isRow(row.pbrMetallicRoughness) ? row.pbrMetallicRoughness : {};
    const factor = Array.isArray(pbr.baseColorFactor) ? pbr.baseColorFactor : [];
    const [r, g, b, a] = [0, 1, 2, 3].map(k => (Number.isFinite(factor[k]) ? Math.min(1, Math.max(0, factor[k])) : 1));
    return { name: nameOf(row, `material ${i}`), color: [r ?? 1, g ?? 1, b ?? 1, a ?? 1], used: used.has(i) };
  });
}

function readAnimations(json: Row): Animation[] {
  const accessors = rows(json, 'accessors');
  return rows(json, 'animations').map((row, i) => {
    const samplers = Array.isArray(row.samplers) ? row.samplers.filter(isRow) : [];
    const ends = samplers.map(sampler => {
      const max = accessors[numberOf(sampler.input)]?.max;
      return Array.isArray(max) && Number.isFinite(max[0]) ? numberOf(max[0]) : 0;
    });
    const channels = Array.isArray(row.channels) ? row.channels.length : 0;
    return { name: nameOf(row, `animation ${i}`), channels, duration_secs: ends.reduce((a, b) => Math.max(a, b), 0) };
  });
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string').map(shorten) : [];
}
