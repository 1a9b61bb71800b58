/** The environment of every server that a test or a benchmark starts: a registry of its own, and no gateway. */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Given by own-registry.ts before every test file; a benchmark has its own. */
const given = process.env.SVC_REGISTRY_DIR;
const own = join(tmpdir(), `svc-test-registry-${process.pid}`);
if (given === undefined) process.once('exit', () => rmSync(own, { recursive: true, force: true }));

export const testEnv = { SVC_REGISTRY_DIR: given ?? own, SVC_GATEWAY_PORT: '0' } as const;
