/** Files that a scene refers to: data URIs, neighbours on disk; never the network. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, extname, isAbsolute, resolve } from 'node:path';
import { ImageUtils } from '@gltf-transform/core';
import { type ExternalFile, type Finding, finding, type Texture } from './scene-model.ts';

const maxResourceBytes = 512 * 1024 * 1024;

export interface Resource {
  bytes: Uint8Array<ArrayBuffer> | undefined;
  /** Absent for data that is embedded. */
  file: ExternalFile | undefined;
  findings: Finding[];
}

/** Resolves `uri` as the scene at `scenePath` means it. What is wrong with it becomes a finding, never an exception. */
export async function readResource(
  scenePath: string,
  uri: string,
  kind: ExternalFile['kind'],
  where: string,
): Promise<Resource> {
  if (/^data:/i.test(uri)) return dataUri(uri, where);
  const file: ExternalFile = { uri: shorten(uri), kind, exists: false, bytes: 0 };
  if (/^[a-z][a-z0-9+.-]+:/i.test(uri) || uri.startsWith('//')) {
    return failed(file, 'remote_file', `${file.uri} is a remote address and is not fetched.`, where);
  }
  if (uri === '' || uri.includes('\0') || isAbsolute(uri)) {
    return failed(file, 'unusable_uri', `"${file.uri}" must be a path relative to the scene file.`, where);
  }
  const path = resolve(dirname(scenePath), kind === 'material_library' ? uri : decoded(uri));
  const info = await stat(path).catch(() => undefined);
  if (!info?.isFile()) return failed(file, 'missing_file', `${file.uri} is missing next to the scene file.`, where);
  if (info.size > maxResourceBytes) return failed(file, 'file_too_large', `${file.uri} is over 512 MB.`, where);
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return failed(file, 'file_unreadable', `${file.uri} cannot be read.`, where);
  return { bytes: new Uint8Array(bytes), file: { ...file, exists: true, bytes: info.size }, findings: [] };
}

/** Name, size and dimensions of an image; `bytes` undefined when it is missing. */
export function describeTexture(name: string, mime: string | undefined, bytes: Uint8Array | undefined): Texture {
  const size = bytes === undefined ? null : imageSize(bytes, mime ?? mimeOf(name));
  return { name: shorten(name), bytes: bytes?.byteLength ?? 0, width: size?.[0], height: size?.[1] };
}

function imageSize(bytes: Uint8Array, mime: string): readonly number[] | null {
  try {
    return ImageUtils.getSize(bytes as Uint8Array<ArrayBuffer>, mime);
  } catch {
    // A header that lies: the size stays unknown.
    return null;
  }
}

function mimeOf(name: string): string {
  return extname(name).toLowerCase() === '.png' ? 'image/png' : 'image/jpeg';
}

function dataUri(uri: string, where: string): Resource {
  const comma = uri.indexOf(',');
  const base64 = uri.slice(0, comma).toLowerCase().endsWith(';base64');
  if (comma > 0 && base64) {
    return { bytes: new Uint8Array(Buffer.from(uri.slice(comma + 1), 'base64')), file: undefined, findings: [] };
  }
  const message = 'A data URI must be base64 encoded.';
  return { bytes: undefined, file: undefined, findings: [finding('error', 'unusable_uri', message, where)] };
}

function failed(file: ExternalFile, code: string, message: string, where: string): Resource {
  // Without its material library a scene is grey but whole.
  const severity = file.kind === 'material_library' ? 'warning' : 'error';
  return { bytes: undefined, file, findings: [finding(severity, code, message, where)] };
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** Names from a file are shown, so they are kept short. */
export function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 197)}...` : text;
}
