/** The built page: its few files, read once and kept in memory. No path of a request ever names a file. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { adminErrors } from './errors.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing but the page's own files; what is drawn is styled by scripts, which this allows. */
export const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"],
].join('; ');

export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

export interface Page {
  /** With the places of the markers filled in. */
  readonly html: string;
  readonly assets: ReadonlyMap<string, Asset>;
}

/** Markers of `index.html`. */
export interface PageInput {
  readonly prefix: string;
  readonly token: string;
  /** Whether one has to sign in. */
  readonly guarded: boolean;
}

const zip = promisify(gzip);

/** Rejects with SVC_ADMIN_NOT_BUILT where there is no page. */
export async function readPage(folder: string, { prefix, token, guarded }: PageInput): Promise<Page> {
  let html: string;
  let names: string[];
  try {
    html = await readFile(join(folder, 'index.html'), 'utf8');
    names = await readdir(join(folder, 'assets'));
  } catch (error) {
    throw adminErrors.NOT_BUILT({}, error);
  }
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const body = await readFile(join(folder, 'assets', name));
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    assets.set(name, { type, body, gzipped: await zip(body), etag });
  }
  return {
    html: html
      .replaceAll('./assets/', `${prefix}/assets/`)
      .replace('%ADMIN_PATH%', attribute(prefix))
      .replace('%ADMIN_TOKEN%', attribute(token))
      .replace('%ADMIN_GUARDED%', String(guarded)),
    assets,
  };
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
