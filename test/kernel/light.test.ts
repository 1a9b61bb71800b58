import { expect, test } from 'vitest';
import * as door from '../../kernel/index.ts';
import * as light from '../../kernel/light.ts';
import { sources } from '../structure/sources.ts';

test('the light door gives the very things of the full one', () => {
  for (const [name, value] of Object.entries(light)) expect((door as Record<string, unknown>)[name], name).toBe(value);
});

test('nothing behind the light door loads Fastify, pino, ajv or TypeBox', () => {
  const files = new Map(sources('kernel', 'schemas').map(each => [each.path, each.imports]));
  const reached = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { specifier, target, typeOnly, dynamic } of files.get(path) ?? []) {
      if (typeOnly || dynamic) continue;
      if (target === undefined) packages.add(specifier);
      else visit(target);
    }
  };
  visit('kernel/light.ts');
  expect([...packages].filter(name => !name.startsWith('node:'))).toEqual(['fastify-plugin']);
});
