/** This build once more as another version: a root of its own, as an upgrade would install it. */
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../schemas/package.ts';

/** Makes it in `folder`; resolves with its program. */
export async function otherBuild(folder: string, version: string): Promise<string> {
  const root = join(folder, version);
  await mkdir(root, { recursive: true });
  await cp(join(packageRoot, 'dist'), join(root, 'dist'), { recursive: true });
  for (const name of ['node_modules', 'skills']) await symlink(join(packageRoot, name), join(root, name), 'junction');
  for (const name of ['package.json', join('dist', 'oclif.manifest.json')]) {
    const manifest = JSON.parse(await readFile(join(packageRoot, name), 'utf8'));
    await writeFile(join(root, name), JSON.stringify({ ...manifest, version }));
  }
  return join(root, 'dist', 'svc-server.js');
}
