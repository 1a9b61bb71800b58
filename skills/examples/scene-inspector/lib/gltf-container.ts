/** Opens .gltf and .glb files: the JSON and the binary chunk, with every length checked first. */
import { SceneError } from './envelope.ts';
import { shorten } from './resources.ts';

export type Row = Record<string, unknown>;

export interface Container {
  format: 'gltf' | 'glb';
  json: Row;
  /** The BIN chunk of a .glb. */
  bin: Uint8Array<ArrayBuffer> | undefined;
}

const magic = 0x46546c67; // "glTF"
const jsonChunk = 0x4e4f534a;
const binChunk = 0x004e4942;

/** Splits a file into JSON and binary; goes by content, so a wrong extension does no harm. */
export function openContainer(bytes: Uint8Array<ArrayBuffer>): Container {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength >= 4 && view.getUint32(0, true) === magic) return openBinary(bytes, view);
  return { format: 'gltf', json: parse(bytes), bin: undefined };
}

function openBinary(bytes: Uint8Array<ArrayBuffer>, view: DataView): Container {
  if (bytes.byteLength < 20) throw broken(`it ends after ${bytes.byteLength} bytes, inside its header`);
  const version = view.getUint32(4, true);
  if (version !== 2) throw broken(`its container version is ${version}; only version 2 is supported`);
  const declared = view.getUint32(8, true);
  if (declared > bytes.byteLength) {
    throw broken(`it is truncated: its header promises ${declared} bytes and ${bytes.byteLength} are there`);
  }
  let json: Row | undefined;
  let bin: Uint8Array<ArrayBuffer> | undefined;
  for (let offset = 12; offset + 8 <= declared; ) {
    const length = view.getUint32(offset, true);
    const type = view.getUint32(offset + 4, true);
    if (offset + 8 + length > declared) throw broken(`the chunk at byte ${offset} runs past the end of the file`);
    const chunk = bytes.subarray(offset + 8, offset + 8 + length);
    if (json === undefined) {
      if (type !== jsonChunk) throw broken('its first chunk is not JSON');
      json = parse(chunk);
    } else if (type === binChunk && bin === undefined) bin = chunk;
    offset += 8 + length;
  }
  if (json === undefined) throw broken('it has no JSON chunk');
  return { format: 'glb', json, bin };
}

function parse(bytes: Uint8Array): Row {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 160) : 'not text';
    throw new SceneError('not_a_gltf', `The file is neither a GLB nor glTF JSON (${reason}).`);
  }
  if (!isRow(value)) throw new SceneError('not_a_gltf', 'The JSON is not an object, so this is no glTF file.');
  const asset = value.asset;
  const version = isRow(asset) ? asset.version : undefined;
  if (typeof version !== 'string') {
    throw new SceneError('not_a_gltf', 'The JSON has no "asset.version", so this is no glTF file.');
  }
  if (!version.startsWith('2.')) {
    throw new SceneError('unsupported_version', `glTF ${version.slice(0, 20)} is not supported; export as glTF 2.0.`);
  }
  return value;
}

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a top-level list; anything that is none reads as an empty object and is reported by the check. */
export function rows(json: Row, key: string): Row[] {
  const list = json[key];
  return Array.isArray(list) ? list.map(item => (isRow(item) ? item : {})) : [];
}

/** A number of the file; NaN for anything else, whatever it would be converted to: an object may say that itself. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** The name that an object has in the file, not too long. */
export function nameOf(row: Row, fallback: string): string {
  return typeof row.name === 'string' && row.name !== '' ? shorten(row.name) : fallback;
}

function broken(reason: string): SceneError {
  return new SceneError('broken_glb', `The GLB file is damaged: ${reason}. Export or copy it again.`);
}
