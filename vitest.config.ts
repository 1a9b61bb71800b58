import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Every server of a test writes a row: into a registry of this run, and with no gateway but the test's own.
process.env.SVC_TEST_REGISTRY ??= mkdtempSync(join(tmpdir(), 'svc-test-registry-'));

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'test/fixtures/**'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 30_000,
    env: { SVC_REGISTRY_DIR: process.env.SVC_TEST_REGISTRY, SVC_GATEWAY_PORT: '0' },
    globalSetup: ['test/registry-folder.ts'],
  },
});
