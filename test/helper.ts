/** Shared by the tests: real applications on real sockets, with the settings of the product; the rest is the kernel's tests'. */
import type { FastifyInstance } from 'fastify';
import { buildApp, type Config, type Environment, type Plugin, resolveConfig } from '../kernel/index.ts';
import { guardPlugin } from '../plugins/guard/index.ts';
import { type ServerConfig, type ServerOptions, serverSettings } from '../plugins/index.ts';
import { listenerPlugin } from '../plugins/listener/index.ts';
import { testEnv } from './environment.ts';
import { readied } from './kernel/support.ts';

export { freePort } from './free-port.ts';
export { computing, tempDir, waitFor } from './kernel/support.ts';

const settings = await serverSettings();

/** The configuration of a quiet server with `options`. */
export const testConfig = (options: ServerOptions = {}): Config<ServerConfig> =>
  resolveConfig({ log_level: 'silent', ...options }, testEnv, {}, settings);

/** An application of `plugins`, ready but not listening; closed when the test ends, its scope then empty. */
export async function testApp(
  plugins: readonly Plugin[],
  options: ServerOptions = {},
  env: Environment = {},
): Promise<FastifyInstance> {
  return readied(buildApp(testConfig(options), plugins, { env }));
}

/** As `testApp` with the listener and the guard that every server has, listening on a free loopback port; resolves with its base URL. */
export async function listeningApp(
  plugins: readonly Plugin[],
  options: ServerOptions = {},
  env: Environment = {},
): Promise<{ app: FastifyInstance; url: string }> {
  const every = [listenerPlugin, guardPlugin];
  const missing = every.filter(({ name }) => plugins.every(each => each.name !== name));
  const listened = [...missing, ...plugins];
  const app = await testApp(listened, options, env);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('not listening');
  return { app, url: `http://127.0.0.1:${address.port}` };
}
