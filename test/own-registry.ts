/** Before every test file: a registry of its own, so that no file meets the rows of one that runs beside or before it. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

process.env.SVC_REGISTRY_DIR = mkdtempSync(join(process.env.SVC_TEST_REGISTRY ?? '', 'file-'));
