/** The environment of every server that a test or a benchmark starts: a registry and logs of its own, and no gateway. */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Given by own-registry.ts before every test file; a benchmark has its own. */
const given = process.env.SVC_REGISTRY_DIR;
const own = join(tmpdir(), `svc-test-registry-${process.pid}`);
if (given === undefined) process.once('exit', () => rmSync(own, { recursive: true, force: true }));

const SVC_REGISTRY_DIR = given ?? own;
// The programs of a test file are found by its own commands alone, and leave nothing in the home of whoever runs it.
const XDG_STATE_HOME = join(SVC_REGISTRY_DIR, 'state');
export const testEnv = { SVC_REGISTRY_DIR, XDG_STATE_HOME, SVC_GATEWAY_PORT: '0' } as const;
