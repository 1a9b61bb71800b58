/** A plugin of another package in the gateway, with a section of its own, and one of the gateway's switched off. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../kernel/index.ts';
import { openGateway } from '../../../plugins/index.ts';
import { testEnv } from '../../environment.ts';
import { tempDir, testConfig } from '../../helper.ts';

test('gateway_plugins adds a plugin with its settings to the gateway, and switches others off', async () => {
  const folder = await tempDir();
  const door = pathToFileURL(join(packageRoot, 'kernel', 'light.ts')).href;
  const plugin = join(folder, 'watch.mjs');
  await writeFile(
    plugin,
    `import { definePlugin } from '${door}';
export default definePlugin(
  { name: 'watch', dependencies: ['instances'], config: { type: 'object', properties: { greeting: { type: 'string', default: 'hello' } } } },
  (app, { config }) => {
    app.get('/watch', () => ({ said: config.greeting, live: app.instances.live().length }));
  },
);
`,
  );
  const open = async (gateway_plugins: Record<string, boolean | object>) => {
    const config = testConfig({ registry_dir: folder, gateway_port: 0, gateway_plugins: gateway_plugins as never });
    const gateway = await openGateway({ config, env: testEnv, standalone: true });
    onTestFinished(() => gateway.close());
    return gateway.origin;
  };
  const origin = await open({ [plugin]: { greeting: 'hi' }, 'gateway-rest': false });
  expect(await (await fetch(`${origin}/watch`)).json()).toEqual({ said: 'hi', live: 0 });
  expect((await fetch(`${origin}/v1/search`, { method: 'POST' })).status).toBe(404);
  await expect(open({ [plugin]: { greetings: 'hi' } })).rejects.toThrow('"greetings" is not a known field');
  await expect(open({ 'no-such-plugin': true })).rejects.toMatchObject({ code: 'SVC_SERVER_PLUGIN_UNKNOWN' });
});
