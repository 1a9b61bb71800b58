/** A plugin owns what it brings: its settings are declared once, and what is optional is declared, not asked for. */
import { expect, test } from 'vitest';
import type { PluginSource } from '../../plugins/index.ts';
import { gatewayPlugins, instancePlugins, relayPlugins, tunnelPlugins } from '../../plugins/index.ts';
import { isReservedEvent } from '../../schemas/reserved-events.ts';
import { vetoableEvents } from '../../schemas/vetoable-events.ts';
import { sources } from './sources.ts';

const lists: Record<string, readonly PluginSource[]> = { instancePlugins, gatewayPlugins, relayPlugins, tunnelPlugins };

test.each(Object.entries(lists))('%s: the settings that the list loads are those of the plugin', async (_, list) => {
  for (const source of list) {
    const plugin = await source.load();
    expect((await source.config?.())?.settings, source.name).toBe(plugin.config);
  }
});

test('every config.ts below plugins/ is in a list', async () => {
  const files = sources('plugins').filter(
    each => /[/-]config\.ts$/.test(each.path) && each.text.includes('export const settings'),
  );
  const listed = new Set<unknown>();
  for (const source of Object.values(lists).flat()) listed.add((await source.config?.())?.settings);
  listed.delete(undefined);
  expect(files).toHaveLength(listed.size);
});

test('every setting has a default and a description', async () => {
  for (const { name, config } of Object.values(lists).flat()) {
    for (const [option, property] of Object.entries((await config?.())?.settings.properties ?? {})) {
      expect(property, `${name}: ${option}`).toMatchObject({ description: expect.stringMatching(/./) });
      expect(property, `${name}: ${option}`).toHaveProperty('default');
    }
  }
});

test('a room names what it uses when it is there: hasDecorator is not asked', () => {
  const asking = sources('plugins').filter(
    ({ path, text }) => path.split('/').length > 2 && /\bhasDecorator\(/.test(text),
  );
  expect(asking.map(each => each.path)).toEqual([]);
});

test('an event of the house is of a family that nobody else may use', async () => {
  const named = await Promise.all(
    Object.values(lists)
      .flat()
      .map(each => each.load()),
  );
  const events = [...vetoableEvents, ...named.flatMap(each => Object.keys(each.events ?? {}))];
  expect(events.length).toBeGreaterThan(30);
  expect(events.filter(each => !isReservedEvent(each))).toEqual([]);
});
