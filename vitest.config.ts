import { mkdtempSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Every server of a test writes a row: into a folder of this run, and with no gateway but the test's own.
process.env.SVC_TEST_REGISTRY ??= mkdtempSync(join(tmpdir(), 'svc-test-registry-'));

/** Files that measure how long others are held up; a neighbour would be measured with them. */
const measuring = ['test/plugins/skills/runtime/isolation.test.ts', 'test/plugins/host/blocked.test.ts'];
/**
 * Files that need a process of their own: they weigh its memory, set its environment before a module reads it, import
 * other test files, or look at everything that was declared in it. All others follow each other in the same few processes, which have loaded the server already.
 */
const apart = [
  'test/contracts/over-slow-*.test.ts',
  'test/contracts/slow-*.test.ts',
  'test/kernel/in-flight.test.ts',
  'test/plugins/feedback/listing.test.ts',
  'test/plugins/gateway/kinds/kinds.test.ts',
  'test/plugins/mcp/bodies.test.ts',
  'test/plugins/skills/runtime/lifecycle.test.ts',
  'test/plugins/telemetry/otel.test.ts',
  'test/plugins/tools/publish.test.ts',
  'test/plugins/webhooks/delivery.test.ts',
  'test/structure/docs.test.ts',
];
const exclude = ['test/bench/**', 'test/fixtures/**', '**/node_modules/**'];
// Tests wait more than they compute: two more than there are cores. More than four only disturb each other.
const maxWorkers = Math.min(4, availableParallelism() + 2);

export default defineConfig({
  test: {
    experimental: { fsModuleCache: true },
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
          exclude: [...exclude, ...measuring, ...apart],
          isolate: false,
          maxWorkers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: { label: 'apart', color: 'blue' },
          include: apart,
          exclude,
          maxWorkers,
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
