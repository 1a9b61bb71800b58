/** Applications with webhooks, from the text of their file. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../../../kernel/index.ts';
import type { ServerOptions } from '../../../plugins/index.ts';
import { webhooksPlugin } from '../../../plugins/webhooks/index.ts';
import { tempDir, testApp } from '../../helper.ts';

/** `text` is that of `webhooks.yaml`. */
export async function webhooksApp(text: string | Buffer, options: ServerOptions = {}, env: Environment = {}) {
  const folder = await tempDir();
  const file = join(folder, 'webhooks.yaml');
  await writeFile(file, text);
  const app = await testApp([webhooksPlugin], { etc_dir: folder, ...options }, env);
  return { app, file, bus: app.kernel.bus };
}
