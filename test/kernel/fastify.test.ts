import { expect, test } from 'vitest';
import { errorCodes, fastify } from '../../kernel/fastify.ts';
import { buildApp, resolveConfig } from '../../kernel/index.ts';

test("the package's Fastify is the one that an application is made of", async () => {
  const app = buildApp(resolveConfig({}, {}, {}), []);
  app.decorate('twice', 1);
  expect(() => app.decorate('twice', 2)).toThrow(errorCodes.FST_ERR_DEC_ALREADY_PRESENT);
  expect(app.version).toBe(fastify().version);
  await app.close();
});
