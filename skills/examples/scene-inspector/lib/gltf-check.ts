/** Checks that every reference and range in a glTF document holds, before anything is decoded by it. */
import { isRow, numberOf, type Row, rows } from './gltf-container.ts';
import { type Finding, finding } from './scene-model.ts';

export const componentBytes: Readonly<Record<number, number>> = {
  5120: 1,
  5121: 1,
  5122: 2,
  5123: 2,
  5125: 4,
  5126: 4,
};
export const elementSizes: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};
const lists = ['scenes', 'nodes', 'meshes', 'accessors', 'bufferViews', 'buffers', 'materials', 'textures', 'images'];
const maxFindings = 500;
/** Accessors may overlap, so a small file could ask for any amount of memory. */
const maxDecodedBytes = 1024 * 1024 * 1024;

export interface BufferSize {
  /** Bytes at hand; undefined when the buffer is missing. */
  bytes: number | undefined;
}

/** Structural errors: with none of them the geometry can be decoded. */
export function checkStructure(json: Row, buffers: readonly BufferSize[]): Finding[] {
  const findings: Finding[] = [];
  const report = (code: string, message: string, where: string): void => {
    if (findings.length < maxFindings) findings.push(finding('error', code, message, where));
  };
  const table: Record<string, Row[]> = {};
  for (const key of lists) {
    const list = json[key];
    if (list !== undefined && !(Array.isArray(list) && list.every(isRow))) {
      report('wrong_type', `"${key}" must be a list of objects.`, key);
    }
    table[key] = rows(json, key);
  }
  const refer = (value: unknown, key: string, where: string, required = false): number => {
    if (value === undefined && !required) return -1;
    const size = table[key]?.length ?? 0;
    if (isCount(value) && value < size) return value;
    report('broken_reference', `${where} is ${show(value)}, but there are ${size} ${key}.`, where);
    return -1;
  };

  table.bufferViews?.forEach((view, i) => {
    const where = `bufferViews[${i}]`;
    const buffer = refer(view.buffer, 'buffers', `${where}.buffer`, true);
    const offset = view.byteOffset ?? 0;
    const length = view.byteLength;
    const stride = view.byteStride ?? 4;
    if (!isCount(offset) || !isCount(length) || !isCount(stride) || stride < 1 || stride > 255) {
      report('wrong_type', 'byteOffset, byteLength and byteStride must be whole numbers in range.', where);
      return;
    }
    const available = buffers[buffer]?.bytes;
    if (available !== undefined && offset + length > available) {
      report('out_of_buffer', `It ends at byte ${offset + length} of a buffer with ${available} bytes.`, where);
    }
  });

  let decodedBytes = 0;
  table.accessors?.forEach((accessor, i) => {
    const where = `accessors[${i}]`;
    const size = typeof accessor.type === 'string' ? elementSizes[accessor.type] : undefined;
    const component = componentBytes[numberOf(accessor.componentType)];
    const count = accessor.count;
    if (size === undefined || component === undefined || !isCount(count)) {
      report('wrong_type', 'type, componentType or count is not one that glTF 2.0 knows.', where);
      return;
    }
    decodedBytes += count * size * component;
    const fits = (viewIndex: unknown, offset: unknown, elements: number, bytes: number, part: string): void => {
      const index = refer(viewIndex, 'bufferViews', `${where}${part}.bufferView`, true);
      const view = table.bufferViews?.[index];
      if (view === undefined) return;
      const start = offset ?? 0;
      const step = part === '' ? numberOf(view.byteStride ?? bytes) : bytes;
      const end = isCount(start) ? start + Math.max(0, elements - 1) * step + (elements > 0 ? bytes : 0) : Number.NaN;
      if (!(end <= numberOf(view.byteLength))) {
        const message = `${elements} elements need ${end} bytes; bufferViews[${index}] has ${show(view.byteLength)}.`;
        report('out_of_buffer', message, `${where}${part}`);
      }
    };
    if (accessor.bufferView !== undefined) {
      fits(accessor.bufferView, accessor.byteOffset, count, size * component, '');
    }
    const sparse = accessor.sparse;
    if (sparse === undefined) return;
    const indices = isRow(sparse) ? sparse.indices : undefined;
    const values = isRow(sparse) ? sparse.values : undefined;
    const changed = isRow(sparse) ? sparse.count : undefined;
    if (!isRow(indices) || !isRow(values) || !isCount(changed) || changed > count) {
      report('wrong_type', 'sparse needs count, indices and values.', `${where}.sparse`);
      return;
    }
    const indexBytes = componentBytes[numberOf(indices.componentType)] ?? Number.NaN;
    fits(indices.bufferView, indices.byteOffset, changed, indexBytes, '.sparse.indices');
    fits(values.bufferView, values.byteOffset, changed, size * component, '.sparse.values');
  });
  if (decodedBytes > maxDecodedBytes) {
    report(
      'scene_too_large',
      `The accessors decode to ${Math.round(decodedBytes / 2 ** 20)} MB; 1024 are allowed.`,
      'accessors',
    );
  }

  table.meshes?.forEach((mesh, i) => {
    const primitives = mesh.primitives;
    if (!Array.isArray(primitives) || !primitives.every(isRow)) {
      report('wrong_type', 'primitives must be a list of objects.', `meshes[${i}]`);
      return;
    }
    primitives.forEach((primitive, p) => {
      const where = `meshes[${i}].primitives[${p}]`;
      const attributes = primitive.attributes;
      if (!isRow(attributes)) report('wrong_type', 'attributes must be an object.', where);
      else {
        for (const [name, index] of Object.entries(attributes)) {
          const accessor = table.accessors?.[refer(index, 'accessors', `${where}.attributes.${name}`, true)];
          const type = name === 'POSITION' || name === 'NORMAL' ? 'VEC3' : accessor?.type;
          if (accessor !== undefined && accessor.type !== type) {
            report('wrong_type', `${name} must be a VEC3.`, `${where}.attributes.${name}`);
          }
        }
      }
      const indices = table.accessors?.[refer(primitive.indices, 'accessors', `${where}.indices`)];
      if (indices !== undefined && indices.type !== 'SCALAR') report('wrong_type', 'indices must be SCALAR.', where);
      refer(primitive.material, 'materials', `${where}.material`);
      const mode = primitive.mode ?? 4;
      if (!isCount(mode) || mode > 6) report('wrong_type', 'mode must be 0 to 6.', where);
    });
  });

  checkNodes(json, table, refer, report);
  table.textures?.forEach((texture, i) => {
    refer(texture.source, 'images', `textures[${i}].source`);
  });
  return findings;
}

/** The node hierarchy must be a forest: a node has one parent, and none is its own ancestor. */
function checkNodes(
  json: Row,
  table: Record<string, Row[]>,
  refer: (value: unknown, key: string, where: string, required?: boolean) => number,
  report: (code: string, message: string, where: string) => void,
): void {
  const nodes = table.nodes ?? [];
  const parent = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, i) => {
    refer(node.mesh, 'meshes', `nodes[${i}].mesh`);
    for (const [key, size] of [
      ['matrix', 16],
      ['translation', 3],
      ['rotation', 4],
      ['scale', 3],
    ] as const) {
      const value = node[key];
      const fine = Array.isArray(value) && value.length === size && value.every(Number.isFinite);
      if (value !== undefined && !fine) report('wrong_type', `${key} must be ${size} numbers.`, `nodes[${i}]`);
    }
    const children = node.children ?? [];
    if (!Array.isArray(children)) report('wrong_type', 'children must be a list.', `nodes[${i}]`);
    else {
      for (const item of children) {
        const child = refer(item, 'nodes', `nodes[${i}].children`, true);
        if (child < 0) continue;
        if (parent[child] !== -1) report('not_a_tree', `Node ${child} has two parents.`, `nodes[${i}]`);
        parent[child] = i;
      }
    }
  });
  // With one parent each, a walk upwards either ends or goes in a circle; `seen` keeps the walks linear.
  const seen = new Int32Array(nodes.length).fill(-1);
  for (let start = 0; start < nodes.length; start++) {
    let node = start;
    while (node >= 0 && seen[node] === -1) {
      seen[node] = start;
      node = parent[node] ?? -1;
    }
    if (node >= 0 && seen[node] === start) report('not_a_tree', `Node ${node} is its own ancestor.`, `nodes[${node}]`);
  }
  rows(json, 'scenes').forEach((scene, i) => {
    const roots = scene.nodes ?? [];
    if (!Array.isArray(roots)) report('wrong_type', 'nodes must be a list.', `scenes[${i}]`);
    else for (const root of roots) refer(root, 'nodes', `scenes[${i}].nodes`, true);
  });
  refer(json.scene, 'scenes', 'scene');
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, 40);
}
