/** The environment of every server that a test or a benchmark starts: a registry and logs of its own, and no gateway. */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of a benchmark: own-registry.ts gives every test file one. */
const own = join(tmpdir(), `svc-test-registry-${process.pid}`);
if (process.env.SVC_REGISTRY_DIR === undefined)
  process.once('exit', () => rmSync(own, { recursive: true, force: true }));

const registry = (): string => process.env.SVC_REGISTRY_DIR ?? own;

/** Read anew by each file, though files share this module. */
export const testEnv = {
  get SVC_REGISTRY_DIR() {
    return registry();
  },
  // The programs of a test file are found by its own commands alone, and leave nothing in the home of whoever runs it.
  get XDG_STATE_HOME() {
    return join(registry(), 'state');
  },
  get SVC_LOG_DIR() {
    return join(registry(), 'logs');
  },
  SVC_GATEWAY_PORT: '0',
};
