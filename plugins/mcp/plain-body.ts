/** The body of a POST with what `Content-Encoding` says undone: the bound on its size holds for what comes of it, too. */
import type { IncomingMessage } from 'node:http';
import { brotliDecompress, inflate, unzip, type ZlibOptions } from 'node:zlib';
import { type BodySink, readBody } from '../../schemas/body.ts';

type Decompress = (
  bytes: Buffer,
  options: Pick<ZlibOptions, 'maxOutputLength'>,
  done: (error: Error | null, plain: Buffer) => void,
) => void;

const decompressors = new Map<string, Decompress>([
  ['gzip', unzip],
  ['x-gzip', unzip],
  ['deflate', inflate],
  ['br', brotliDecompress],
]);

/** The `Accept-Encoding` of a refusal. */
export const acceptedEncodings = 'gzip, deflate, br';

export interface PlainBodySink<T> extends BodySink<T> {
  /** The body is compressed in a way that is not known here. */
  unknownEncoding(owner: T, encoding: string): void;
  /** The body is not what its `Content-Encoding` says. */
  broken(owner: T, encoding: string): void;
}

export function readPlainBody<T>(request: IncomingMessage, maxBytes: number, sink: PlainBodySink<T>, owner: T): void {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') {
    readBody(request, maxBytes, sink, owner);
    return;
  }
  const decompress = decompressors.get(encoding);
  if (!decompress) {
    sink.unknownEncoding(owner, encoding);
    return;
  }
  const body = (bytes: Buffer): void =>
    decompress(bytes, { maxOutputLength: maxBytes }, (error, plain) => {
      if (!error) sink.body(plain, owner);
      else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') sink.tooLarge(owner);
      else sink.broken(owner, encoding);
    });
  readBody(request, maxBytes, { body, tooLarge: () => sink.tooLarge(owner) }, owner);
}
