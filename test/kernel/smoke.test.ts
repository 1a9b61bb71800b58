import { expect, test } from 'vitest';
import { resolveConfig, threadEntry } from '../../kernel/index.ts';
import { testApp } from '../helper.ts';

test('an application without plugins starts and closes', async () => {
  const app = await testApp([]);
  const answer = await app.inject('/nothing');
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ kind: 'not-found' });
});
test('config', () => {
  expect(resolveConfig().port).toBe(0);
  expect(() => resolveConfig({ prot: 1 } as never)).toThrow(/"prot" is not a known field/);
  expect(() => resolveConfig({ bare_tool_names: 'true' } as never)).toThrow(/"bare_tool_names" must be boolean/);
  expect(resolveConfig({}, { SVC_BARE_TOOL_NAMES: 'false' }).bare_tool_names).toBe(false);
  void threadEntry;
});
