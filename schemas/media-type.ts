/** The media type of a file, by its name; what is not known is told from its bytes when it is read. */
import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.txt': 'text/plain',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.toml': 'application/toml',
  '.xml': 'application/xml',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.ts': 'text/x-typescript',
  '.py': 'text/x-python',
  '.sh': 'text/x-shellscript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.flac': 'audio/flac',
};

export const directoryType = 'inode/directory';

export const mediaTypeOf = (path: string): string | undefined => types[extname(path).toLowerCase()];

/** A file as a read result: text, byte order mark and all, when its bytes are UTF-8. */
export function contentsOf(uri: string, path: string, bytes: Buffer) {
  const known = mediaTypeOf(path);
  return isUtf8(bytes)
    ? { uri, mimeType: known ?? 'text/plain', text: bytes.toString('utf8') }
    : { uri, mimeType: known ?? 'application/octet-stream', blob: bytes.toString('base64') };
}

/**
 * Whether a body says that it is JSON. What only looks like it (`text/plain`, a form, no type at all) may be sent by a page of
 * any origin without asking first.
 */
export function isJson(type: string | undefined): boolean {
  if (type === 'application/json') return true;
  return type?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}
