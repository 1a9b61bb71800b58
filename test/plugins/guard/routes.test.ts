import { expect, test } from 'vitest';
import { buildApp } from '../../../kernel/index.ts';
import { routeScopes, scopeOfRoute } from '../../../plugins/guard/route-scopes.ts';
import { gatewayPlugins, instancePlugins, relayPlugins } from '../../../plugins/index.ts';
import { tempDir, testConfig } from '../../helper.ts';

const paths = { endpoint_path: '/here', admin_path: '/panel', metrics_path: '/figures' };

/** Every route of both lists, all that a setting switches on switched on. */
async function routesOf(list: typeof instancePlugins | typeof gatewayPlugins | typeof relayPlugins): Promise<string[]> {
  const found = new Set<string>();
  const options = { ...paths, cache_dir: await tempDir(), registry_dir: await tempDir(), metrics_enabled: true };
  const plugins = await Promise.all(list.map(each => each.load()));
  const app = buildApp(testConfig(options), plugins);
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) found.add(`${each} ${url}`);
  });
  await app.ready();
  await app.close();
  return [...found];
}

test('every route of this package says in the table what it takes, and the table has no other', async () => {
  const lists = [instancePlugins, gatewayPlugins, relayPlugins];
  const all = (await Promise.all(lists.map(routesOf))).flat();
  const scopeOf = (route: string) => scopeOfRoute(...(route.split(' ', 2) as [string, string]), paths);
  expect(all.filter(each => scopeOf(each) === undefined)).toEqual([]);
  const named = all.map(each =>
    each.replace('/here', '{endpoint_path}').replace('/panel', '{admin_path}').replace('/figures', '{metrics_path}'),
  );
  expect([...routeScopes.keys()].filter(each => !named.includes(each))).toEqual([]);
});

test('what changes something is never for who may only look', () => {
  const writes = [...routeScopes].filter(([route]) => !route.startsWith('GET') && !route.includes('{endpoint_path}'));
  const reading = writes.filter(([, scope]) => scope === 'read' || scope === 'public').map(([route]) => route);
  expect(reading).toEqual(['POST /v1/search', 'POST /v1/describe']);
});
