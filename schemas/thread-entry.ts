/**
 * Entry files of our threads. Built: `dist/<name>.js`. From source: the TypeScript bundled once per content, because a
 * worker thread inherits no TypeScript loader on Node 20.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isBuilt, packageRoot } from './package.ts';
import { writeWhole } from './whole-file.ts';

const bundled = new Map<string, Promise<URL>>();

/** URL of the thread entry `name`, whose source is `source` (relative to the package root). */
export function threadEntry(name: string, source: string): Promise<URL> {
  if (isBuilt) return Promise.resolve(pathToFileURL(join(packageRoot, 'dist', `${name}.js`)));
  const known = bundled.get(name) ?? bundle(name, source);
  bundled.set(name, known);
  return known;
}

async function bundle(name: string, source: string): Promise<URL> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: packageRoot,
    entryPoints: [source],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  const text = outputFiles[0]?.text ?? '';
  const folder = join(packageRoot, 'node_modules', '.cache', 'svc');
  const file = join(folder, `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`);
  await writeWhole(file, text);
  return pathToFileURL(file);
}
