import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { roomsOf } from '../../cli/build-rooms.ts';
import { packageRoot } from '../../kernel/index.ts';

test('every room that a list loads is in one chunk: of the instance, of the gateway, or of both', async () => {
  const whole = await readFile(join(packageRoot, 'plugins', 'index.ts'), 'utf8');
  // Relays and tunnels are programs of their own: their lists load what they need by itself.
  const [text = ''] = whole.split(/^export const relayPlugins/m);
  const rooms = roomsOf(text);
  const placed = [...rooms.values()].flat();
  const imported = new Set([...text.matchAll(/import\('(\.\/[^']+\/index\.ts)'\)/g)].map(each => each[1]));
  expect(placed.sort()).toEqual([...imported].sort());
  expect(rooms.get('instance-plugins')).toContain('./skills/index.ts');
  expect(rooms.get('gateway-plugins')).toContain('./gateway/index.ts');
  expect(rooms.get('shared-plugins')).toContain('./mcp/index.ts');
});
