import { expect, test } from 'vitest';
import { schemaErrors, warmMetaSchemas } from '../../schemas/meta-schema.ts';

test('meta-schemas: each dialect accepts its own and refuses what is wrong in it', () => {
  expect(schemaErrors({ type: 'object', prefixItems: [{ type: 'string' }] }, 'modern')).toBeUndefined();
  expect(schemaErrors({ prefixItems: 'x' }, 'modern')).toMatchObject([{ instancePath: '/prefixItems' }]);
  expect(schemaErrors({ items: [{}, {}] }, 'draft7')).toBeUndefined();
  expect(schemaErrors({ items: [{}, {}] }, 'modern')).toBeDefined();
});

test('meta-schemas: warming up lets the event loop turn in between', async () => {
  let turns = 0;
  let warm = false;
  const turn = (): void => {
    turns += 1;
    if (!warm) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.race([warmMetaSchemas(), new Promise(resolve => setTimeout(resolve, 10_000))]);
  warm = true;
  expect(turns).toBeGreaterThan(5);
});
