/** A context for calling tool functions directly: a real AbortController, recorded progress, answers of your own for `call`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SkillCallResult, SkillContext } from '../../plugins/skills/api.ts';
import { asking } from '../../schemas/asking.ts';
import { logLevels } from '../../schemas/log-levels.ts';

export interface TestContext extends SkillContext {
  readonly steps: { current: number; total: number | undefined; message: string | undefined }[];
  readonly calls: { tool: string; args: Record<string, unknown> | undefined }[];
  abort(): void;
}

export function skillContext(
  options: {
    config?: Record<string, unknown>;
    answer?: (tool: string, args: Record<string, unknown> | undefined) => SkillCallResult;
    onProgress?: (current: number) => void;
  } = {},
): TestContext {
  const controller = new AbortController();
  const steps: TestContext['steps'] = [];
  const calls: TestContext['calls'] = [];
  const ignore = () => undefined;
  return {
    skill: 'test',
    tool: 'test',
    signal: controller.signal,
    config: options.config ?? {},
    trace: undefined,
    log: Object.fromEntries(logLevels.map(level => [level, ignore])) as unknown as SkillContext['log'],
    ...asking(async method => Promise.reject(new Error(`nobody answers ${method} here`))),
    steps,
    calls,
    abort: () => controller.abort(),
    progress(current, total, message) {
      steps.push({ current, total, message });
      options.onProgress?.(current);
    },
    async call(tool, args) {
      calls.push({ tool, args });
      return options.answer?.(tool, args) ?? { content: [{ type: 'text', text: 'Tool not found' }], isError: true };
    },
    emitEvent: ignore,
    closeStream: ignore,
  };
}

/** A result as the server encodes it. */
export function structured(value: Record<string, unknown>): SkillCallResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

/** The envelope of a result, whether it came as content or as it is. */
export function envelopeOf(result: unknown): {
  success: boolean;
  message: string;
  error: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests read freely into the context
  context: any;
} {
  const fields = result as Record<string, unknown>;
  return (fields.structuredContent ?? fields) as ReturnType<typeof envelopeOf>;
}

export const samplePath = (name: string): string =>
  fileURLToPath(new URL(`../../skills/examples/scene-inspector/assets/${name}`, import.meta.url));

/** A cube of side 2 around the origin: 8 vertices, 6 quads. */
export const cubeObj = `# cube
mtllib cube.mtl
o cube
v -1 -1 -1
v 1 -1 -1
v 1 1 -1
v -1 1 -1
v -1 -1 1
v 1 -1 1
v 1 1 1
v -1 1 1
usemtl red
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
`;

export async function writeCube(folder: string): Promise<string> {
  const path = join(folder, 'cube.obj');
  await writeFile(path, cubeObj);
  await writeFile(join(folder, 'cube.mtl'), 'newmtl red\nKd 0.8 0.05 0.05\n');
  return path;
}

/** A GLB container of a JSON document and binary data, with correct lengths. */
export function glbOf(json: unknown, bin: Uint8Array = new Uint8Array()): Buffer {
  const text = Buffer.from(JSON.stringify(json));
  const jsonChunk = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, 0x20)]);
  const binChunk = Buffer.concat([bin, Buffer.alloc((4 - (bin.length % 4)) % 4)]);
  const header = Buffer.alloc(20);
  header.write('glTF');
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(12 + 8 + jsonChunk.length + (bin.length > 0 ? 8 + binChunk.length : 0), 8);
  header.writeUInt32LE(jsonChunk.length, 12);
  header.write('JSON', 16);
  if (bin.length === 0) return Buffer.concat([header, jsonChunk]);
  const binHeader = Buffer.alloc(8);
  binHeader.writeUInt32LE(binChunk.length, 0);
  binHeader.write('BIN\0', 4);
  return Buffer.concat([header, jsonChunk, binHeader, binChunk]);
}

/** One triangle as glTF: positions (0,0,0) (1,0,0) (0,1,0), then three 16-bit indices. */
export function triangleGltf(): { json: Record<string, unknown>; bin: Buffer } {
  const bin = Buffer.concat([
    Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer),
    Buffer.from(new Uint16Array([0, 1, 2, 0]).buffer),
  ]);
  return {
    bin,
    json: {
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
      buffers: [{ byteLength: bin.length }],
      bufferViews: [
        { buffer: 0, byteOffset: 0, byteLength: 36 },
        { buffer: 0, byteOffset: 36, byteLength: 6 },
      ],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' },
        { bufferView: 1, componentType: 5123, count: 3, type: 'SCALAR' },
      ],
    },
  };
}
