import { writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { orderPlugins } from '../../kernel/index.ts';
import { definePlugin } from '../../plugins/index.ts';
import { tempDir } from '../helper.ts';
import { fixture, modes, testServer } from '../server.ts';

describe.each(modes)('composition, spawn_mode %s', mode => {
  test('a port in use is SVC_SERVER_PORT_IN_USE with host and port; a later start on it works', async () => {
    const other = createNetServer().listen(0, '127.0.0.1');
    await new Promise(resolve => other.once('listening', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const server = testServer(mode, { port });
    const failed = await server.start().catch(error => error);
    expect(failed).toMatchObject({ code: 'SVC_SERVER_PORT_IN_USE' });
    expect(failed.message).toContain(`127.0.0.1:${port}`);
    await new Promise(resolve => other.close(resolve));
    expect((await server.start()).port).toBe(port);
  });

  test('an address that this machine has not is named', async () => {
    await expect(testServer(mode, { host: '203.0.113.7', insecure_bind: true }).start()).rejects.toMatchObject({
      code: 'SVC_SERVER_ADDRESS_UNAVAILABLE',
    });
  });

  test('a plugin specifier that is wrong is refused by name', async () => {
    const refused = (name: string, on = true) => testServer(mode, {}, { plugins: { [name]: on } }).loadedCount();
    await expect(refused('no-such-package')).rejects.toMatchObject({ code: 'SVC_SERVER_PLUGIN_UNKNOWN' });
    await expect(refused('hots', false)).rejects.toThrow(/"hots" is not known.*host, skills, .*audit/);
    await expect(refused('./near.mjs')).rejects.toMatchObject({ code: 'SVC_SERVER_PLUGIN_UNLOADABLE' });
    await expect(refused(fixture('missing.mjs'))).rejects.toMatchObject({ code: 'SVC_SERVER_PLUGIN_UNLOADABLE' });
    await expect(refused('node:path')).rejects.toMatchObject({ code: 'SVC_SERVER_PLUGIN_INVALID' });
  });

  test('a plugin that is off takes its operations away; one that others need cannot be off', async () => {
    const off = testServer(mode, {}, { plugins: { host: false } });
    await expect(off.registerTool({ name: 'x' }, () => 1)).rejects.toMatchObject({ code: 'SVC_SERVER_FEATURE_OFF' });
    const needed = testServer(mode, {}, { plugins: { audit: false } }).loadedCount();
    await expect(needed).rejects.toThrow(/"scheme-audit" needs "audit"/);
    const both = testServer(mode, {}, { plugins: { audit: false, diagnostics: false, 'scheme-audit': false } });
    expect((await both.start()).port).toBeGreaterThan(0);
  });

  test('a plugin that fails to boot says why and leaves no server', async () => {
    const folder = await tempDir();
    const file = join(folder, 'broken.mjs');
    await writeFile(
      file,
      'export default { name: "broken", dependencies: [], register: async () => { throw new Error("no licence"); } };',
    );
    const server = testServer(mode, {}, { plugins: { [file]: true } });
    await expect(server.start()).rejects.toThrow(/no licence/);
  });

  test('options come from the file, then the environment, then the call', async () => {
    const configFile = join(await tempDir(), 'svc.yaml');
    await writeFile(configFile, 'endpoint_path: /file\nserver_name: file\n');
    const server = testServer(mode, {}, { configFile, env: { SVC_ENDPOINT_PATH: '/env' } });
    expect(new URL((await server.start()).mcpUrl()).pathname).toBe('/env');
    const missing = testServer(mode, {}, { configFile: join(await tempDir(), 'none.json') });
    await expect(missing.start()).rejects.toMatchObject({ code: 'SVC_KERNEL_CONFIG_INVALID' });
  });
});

test('plugin objects join an ambient server and are refused by a dedicated one', async () => {
  const plugin = definePlugin({ name: 'greeting' }, app => void app.get('/hello', () => 'hello'));
  const service = await testServer('ambient', {}, { add: [plugin] }).start();
  expect(await (await fetch(new URL('/hello', service.mcpUrl()))).text()).toBe('hello');
  await expect(testServer('dedicated', {}, { add: [plugin] }).start()).rejects.toMatchObject({
    code: 'SVC_SERVER_PLUGIN_OBJECT',
  });
});

test('plugins stand after what they depend on; cycles and duplicates are named', () => {
  const make = (name: string, ...dependencies: string[]) => definePlugin({ name, dependencies }, () => undefined);
  expect(orderPlugins([make('a', 'c'), make('b'), make('c', 'b')]).map(each => each.name)).toEqual(['b', 'c', 'a']);
  expect(() => orderPlugins([make('a', 'b'), make('b', 'a')])).toThrow('a -> b -> a');
  expect(() => orderPlugins([make('a'), make('a')])).toThrow(/named "a"/);
});

test('importing the package loads nothing heavy on the host main thread', async () => {
  const { metafile } = await build({
    entryPoints: ['plugins/index.ts'],
    bundle: true,
    write: false,
    outdir: 'unused',
    platform: 'node',
    format: 'esm',
    packages: 'external',
    metafile: true,
  });
  const seen = new Set<string>();
  const external = new Set<string>();
  const walk = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const each of metafile.inputs[path]?.imports ?? []) {
      if (each.kind !== 'import-statement') continue;
      if (each.external) external.add(each.path);
      else walk(each.path);
    }
  };
  walk('plugins/index.ts');
  const packages = [...external].filter(each => !isBuiltin(each));
  expect(packages).toEqual(['fastify-plugin']);
});
