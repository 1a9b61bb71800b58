/** The admin page: bundled into a folder of few files, which the gateway serves from memory. */
import { join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** More than this of script, gzipped, and the build fails. */
const mostBytes = 60 * 1024;

export async function buildAdmin(root: string, outDir: string): Promise<{ inputs: string[]; zippedBytes: number }> {
  const built = await build({
    root: join(root, 'plugins/admin/ui'),
    // Where it is served is known at run time alone.
    base: './',
    configFile: false,
    logLevel: 'warn',
    // The loader of modules ahead of their time would be a script in the page.
    build: { outDir, emptyOutDir: true, target: 'es2022', modulePreload: false, reportCompressedSize: false },
  });
  const chunks = [built].flat().flatMap(each => ('output' in each ? each.output : []));
  const scripts = chunks.filter(each => each.type === 'chunk');
  const zippedBytes = scripts.reduce((sum, each) => sum + gzipSync(each.code).length, 0);
  if (zippedBytes > mostBytes) throw new Error(`the script of the admin page has ${zippedBytes} bytes, gzipped`);
  const inputs = scripts.flatMap(each => each.moduleIds).map(each => relative(root, each).split(sep).join('/'));
  return { inputs, zippedBytes };
}
