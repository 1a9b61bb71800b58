import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as door from '../../kernel/index.ts';

test('a kernel has bus, hooks, rpc, schemas, ids, log and a root scope, and closes its log', async () => {
  const kernel = door.createKernel(door.resolveConfig({ log_level: 'silent' }));
  expect(kernel.scope.list()).toEqual(['log']);
  expect(kernel.logTail(5)).toEqual([]);
  kernel.bus.on('a', () => undefined);
  expect(kernel.bus.emit('a').id).toMatch(/^ev_/);
  await kernel.scope.dispose();
});

test('a kernel takes its clock and ids from outside', () => {
  const ids = { uuid: () => 'u' as never, event: () => 'ev_fixed', now: () => 1, nowNs: () => 2 };
  const kernel = door.createKernel(door.resolveConfig({ log_level: 'silent' }), { ids });
  expect(kernel.bus.emit('a')).toMatchObject({ id: 'ev_fixed', timestamp_ns: 2 });
});

test('a failing subscriber is logged', () => {
  const kernel = door.createKernel(door.resolveConfig({ log_level: 'error' }));
  kernel.bus.on('a', () => {
    throw new Error('broken');
  });
  kernel.bus.emit('a');
  expect(kernel.logTail(1)[0]).toContain('an event subscriber failed');
});

test('the door exports named things only, and every kernel file has a test', async () => {
  expect(Object.keys(door)).not.toContain('default');
  const tests = await readdir(import.meta.dirname);
  const files = await readdir(new URL('../../kernel', import.meta.url));
  const untested = files.filter(
    file =>
      file.endsWith('.ts') &&
      !['index.ts', 'own-validators.ts'].includes(file) &&
      !tests.includes(file.replace('.ts', '.test.ts')),
  );
  expect(untested).toEqual([]);
});
