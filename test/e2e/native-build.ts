/** The native part of better-sqlite3 that `npm ci` has built here, so that an installation elsewhere need not again. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../kernel/index.ts';

const built = join('build', 'Release', 'better_sqlite3.node');

/**
 * Packs it into `folder` as the archive that the library's own install script looks for; resolves with the variable
 * that says where. Another version, system or processor asks for another name, and is then installed the long way.
 */
export async function nativeBuild(folder: string): Promise<NodeJS.ProcessEnv> {
  const library = join(packageRoot, 'node_modules', 'better-sqlite3');
  if (!existsSync(join(library, built))) return {};
  const { version } = JSON.parse(await readFile(join(library, 'package.json'), 'utf8')) as { version: string };
  const kind = `node-v${process.versions.modules}-${process.platform}-${process.arch}`;
  await mkdir(folder, { recursive: true });
  const archive = join(folder, `better-sqlite3-v${version}-${kind}.tar.gz`);
  await promisify(execFile)('tar', ['-czf', archive, '-C', library, built]);
  return { npm_config_better_sqlite3_local_prebuilds: folder };
}
