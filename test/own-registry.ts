/** Before every test file: a registry of its own, so that no file meets the rows of one that runs beside it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(process.env.SVC_TEST_REGISTRY ?? '', String(process.pid));
mkdirSync(folder, { recursive: true, mode: 0o700 });
process.env.SVC_REGISTRY_DIR = folder;
