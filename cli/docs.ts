/** `npm run docs`: writes the generated parts of the documentation. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../kernel/index.ts';
import { documents } from './docs-text.ts';

for (const [file, text] of await documents()) {
  await writeFile(join(packageRoot, file), text);
  process.stdout.write(`wrote ${file}\n`);
}
