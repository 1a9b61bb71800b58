/** Every plugin boots with the transitive closure of its declared dependencies and nothing else, and closes clean. */
import { describe, expect, test } from 'vitest';
import { buildApp, orderPlugins, type Plugin } from '../../kernel/index.ts';
import { gatewayPlugins, instancePlugins, relayPlugins, tunnelPlugins } from '../../plugins/index.ts';
import { tempDir, testConfig } from '../helper.ts';

const lists = { instancePlugins, gatewayPlugins, relayPlugins, tunnelPlugins };

describe.each(Object.entries(lists))('%s', async (_, list) => {
  const all: Plugin[] = await Promise.all(list.map(each => each.load()));
  const byName = new Map(all.map(each => [each.name, each]));

  function closure(name: string, found = new Set<string>()): Set<string> {
    found.add(name);
    for (const each of byName.get(name)?.dependencies ?? []) if (!found.has(each)) closure(each, found);
    return found;
  }

  test('the list names each plugin as it names itself, once', () => {
    expect(all.map(each => each.name)).toEqual(list.map(each => each.name));
    expect(byName.size).toBe(all.length);
  });

  test('the list is in boot order: a plugin stands after those it depends on', () => {
    expect(orderPlugins(all).map(each => each.name)).toEqual(all.map(each => each.name));
  });

  test.each([...byName.keys()])('plugin %s boots with what it declares, and closes clean', async name => {
    const needed = closure(name);
    const config = testConfig({ cache_dir: await tempDir(), registry_dir: await tempDir() });
    const app = buildApp(
      config,
      all.filter(each => needed.has(each.name)),
    );
    await app.ready();
    await app.close();
    expect(app.kernel.scope.list()).toEqual([]);
  });
});
