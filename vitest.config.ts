import { mkdtempSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Every server of a test writes a row: into a folder of this run, and with no gateway but the test's own.
process.env.SVC_TEST_REGISTRY ??= mkdtempSync(join(tmpdir(), 'svc-test-registry-'));

/** Files that measure how long others are held up; a neighbour would be measured with them. */
const measuring = ['test/plugins/skills/runtime/isolation.test.ts', 'test/plugins/host/blocked.test.ts'];
const exclude = ['test/bench/**', 'test/fixtures/**', '**/node_modules/**'];

export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000, interval: 20 } },
    env: { SVC_TEST_REGISTRY: process.env.SVC_TEST_REGISTRY, SVC_GATEWAY_PORT: '0' },
    setupFiles: ['test/own-registry.ts', 'test/oracle/watch.ts'],
    globalSetup: ['test/registry-folder.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: { label: 'together', color: 'green' },
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...measuring],
          // Tests wait more than they compute: one more than there are cores. More than four only disturb each other.
          maxWorkers: Math.min(4, availableParallelism() + 1),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: { label: 'alone', color: 'yellow' },
          include: measuring,
          exclude,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
