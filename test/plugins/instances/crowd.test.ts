/** What one instance more costs a whole gateway does not depend on how many there are: counted in rows, not in time. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { createShortcuts } from '../../../plugins/gateway/proxy/shortcuts.ts';
import { gatewayPlugins } from '../../../plugins/index.ts';
import { listeningApp, tempDir, waitFor } from '../../helper.ts';

const crowd = 150;
const idOf = (index: number): string => `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`;

test('registering and heartbeats go through no list of all instances [spec:instances:register]', async () => {
  const plugins = await Promise.all(gatewayPlugins.map(each => each.load()));
  const { app, url } = await listeningApp(plugins, { registry_dir: await tempDir(), log_level: 'silent' });
  const send = async (operation: string, body: object): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${url}/v1/instances/${operation}`, sent)).status;
  };
  let rows = 0;
  let changes = 0;
  const { live, list } = app.instances;
  vi.spyOn(app.instances, 'live').mockImplementation(() => {
    const found = live();
    rows += found.length;
    return found;
  });
  vi.spyOn(app.instances, 'list').mockImplementation(view => {
    const found = list(view);
    rows += found.length;
    return found;
  });
  const sort = Array.prototype.sort;
  vi.spyOn(Array.prototype, 'sort').mockImplementation(function (this: unknown[], compare) {
    rows += this.length;
    return sort.call(this, compare);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  for (const name of ['instance.appeared', 'instance.changed', 'instance.left']) {
    app.kernel.bus.on(name, () => {
      changes += 1;
    });
  }
  for (let index = 0; index < crowd; index += 1) {
    // Nobody listens there: each is found unreachable, which is one change more.
    const mcp_url = `http://127.0.0.1:${index + 1}/mcp`;
    expect(await send('register', { instance_id: idOf(index), dcc_type: 'maya', mcp_url, ttl_secs: 600 })).toBe(200);
  }
  await waitFor(() => changes >= 2 * crowd, 'what is found out about each', 20_000);
  // Whoever looks by the clock (every second or so) is not meant; one list for each event would be some 20,000 rows.
  expect(rows).toBeLessThan(20 * crowd);

  const [before, generation] = [rows, app.instances.generation];
  const heard = app.instances.get(idOf(0))?.last_heartbeat ?? Number.POSITIVE_INFINITY;
  for (let index = 0; index < crowd; index += 1)
    expect(await send('heartbeat', { instance_id: idOf(index) })).toBe(200);
  expect(rows - before).toBeLessThan(20 * crowd);
  expect(app.instances.generation).toBe(generation);
  // And they count as heard.
  expect(app.instances.get(idOf(0))?.last_heartbeat).toBeGreaterThan(heard);
}, 30_000);

test('the ways around the router are those of the instances that are there, and of their types', () => {
  const open = new Set<string>();
  const opened: string[] = [];
  const way = (name: string) => {
    open.add(name);
    opened.push(name);
    return () => void open.delete(name);
  };
  const shortcuts = createShortcuts({ toInstance: way, toType: type => way(`type ${type}`) });
  const told = (instance_id: string, dcc_type: string, routable = true) =>
    shortcuts.follow({ instance_id, dcc_type, routable });
  told('a', 'maya');
  told('a', 'maya');
  told('b', 'maya');
  expect([...open].sort()).toEqual(['a', 'b', 'type maya']);
  told('a', 'maya', false);
  expect([...open].sort()).toEqual(['b', 'type maya']);
  told('b', 'nuke');
  expect([...open].sort()).toEqual(['b', 'type nuke']);
  expect(opened).toEqual(['type maya', 'a', 'b', 'type nuke']);
  told('unknown', 'x', false);
  shortcuts.dispose();
  expect([...open]).toEqual([]);
});
