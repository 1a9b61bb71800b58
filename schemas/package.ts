/** Where the package lies and which version it is: the same from source, from the bundle and from an installed tarball. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Manifest {
  name: string;
  version: string;
}

const found = find(dirname(fileURLToPath(import.meta.url)));

/** Absolute path of the package's folder. */
export const packageRoot: string = found.root;
export const packageVersion: string = found.manifest.version;
/** True when this code runs from `dist/`, false when it runs from source. */
export const isBuilt: boolean = fileURLToPath(import.meta.url).startsWith(join(packageRoot, 'dist'));

function find(start: string): { root: string; manifest: Manifest } {
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (existsSync(path)) {
      const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
      if (manifest.name === 'svc') return { root: folder, manifest };
    }
    if (dirname(folder) === folder) throw new Error(`no package.json of svc above ${start}`);
  }
}
