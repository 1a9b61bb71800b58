/** What a producer answers is checked before it goes on: its shape, and its size. Runs on either thread. */
import { isSvcError, messageOf } from '../../kernel/light.ts';
import type { ResourceContents, ResourceRecord } from './api.ts';
import { resourceErrors } from './errors.ts';
import { listedUri } from './uri.ts';

const mostMessage = 500;

/** Sendable contents made of what a producer's `read` gave; bytes become base64. Throws SVC_RESOURCES_*. */
export function contentsOf(given: unknown, uri: string, maxBytes: number): readonly ResourceContents[] | undefined {
  if (given === undefined || given === null) return undefined;
  const items: unknown[] = Array.isArray(given) ? given : [given];
  let bytes = 0;
  const grown = (size: number): void => {
    bytes += size;
    if (bytes > maxBytes) throw resourceErrors.TOO_LARGE({ uri, bytes, limit: maxBytes });
  };
  return items.map(item => {
    const { text, blob, mimeType, uri: own } = (item ?? {}) as Record<string, unknown>;
    const head = {
      uri: typeof own === 'string' ? toldUri(own, uri) : uri,
      ...(typeof mimeType === 'string' && { mimeType }),
    };
    if (typeof text === 'string') {
      grown(text.length);
      return { ...head, text };
    }
    if (typeof blob === 'string') {
      grown(blob.length);
      return { ...head, blob };
    }
    if (blob instanceof Uint8Array) {
      grown(Math.ceil(blob.length / 3) * 4);
      return { ...head, blob: Buffer.from(blob.buffer, blob.byteOffset, blob.length).toString('base64') };
    }
    throw resourceErrors.FAILED({ uri, reason: 'its producer gave an item with neither "text" nor "blob"' });
  });
}

/** A producer's name for the resource that was asked for is told as the caller wrote it. */
function toldUri(own: string, asked: string): string {
  const listed = listedUri(own);
  return listed === listedUri(asked) ? asked : listed;
}

/** The well-formed records of what a producer's `list` gave: one that is not cannot spoil the others. */
export function recordsOf(given: unknown): ResourceRecord[] {
  if (!Array.isArray(given)) throw new TypeError('a producer must list an array of records');
  return given.filter(isRecord).map(({ uri, name, title, description, mimeType, size, _meta }) => ({
    uri,
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(size !== undefined && { size }),
    ...(_meta !== undefined && { _meta }),
  }));
}

function isRecord(value: unknown): value is ResourceRecord {
  const { uri, name } = (value ?? {}) as Partial<ResourceRecord>;
  return typeof uri === 'string' && typeof name === 'string';
}

/** What a producer threw: an error of the table stays itself, anything else is "producer failed". */
export function readFailure(error: unknown, uri: string): Error {
  if (isSvcError(error)) return error;
  return resourceErrors.FAILED({ uri, reason: messageOf(error).slice(0, mostMessage) }, error);
}
