/** A server without its surroundings: configuration, plugins, application, operations. Runs in place or in its thread. */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import {
  buildApp,
  type Config,
  type Environment,
  type Plugin,
  resolveConfig,
  type SettingsSchema,
} from '../kernel/index.ts';
import type { HostRunner } from './host/api.ts';
import { createOperations, type HostLink, type Operations } from './operations.ts';
import { loadStrangers, type PluginSource, selectPlugins } from './selection.ts';
import { serverErrors } from './server-errors.ts';

/** Everything a server is made from; cloneable, so that it can cross to the server thread. */
export interface CoreInput {
  options: object;
  env: Environment;
  /** Contents of the config file. */
  file: object;
  resolveFrom: readonly string[];
}

export interface CoreSurroundings {
  sources: readonly PluginSource[];
  /** The settings that the server takes. */
  settings(): Promise<SettingsSchema>;
  /** Makes the host's side once the configuration is known. */
  connect(config: Config): { link: HostLink; runner: HostRunner };
  added?: readonly Plugin[];
}

export interface Core {
  config: Config;
  operations: Operations;
  /** Writes a warning to the server's log. */
  warn(details: object, message: string): void;
  /** Drains and closes; connections that outlive `shutdown_grace_ms` are cut. Idempotent. */
  close(): Promise<void>;
}

/** Boots a server that does not listen yet; leaves nothing behind when that fails. */
export async function bootCore(
  { options, env, file, resolveFrom }: CoreInput,
  { sources, settings, connect, added = [] }: CoreSurroundings,
): Promise<Core> {
  const config = resolveConfig(options, env, file, await settings());
  const strangers = await loadStrangers(sources, { switches: config.plugins, added, resolveFrom });
  const { link, runner } = connect(config);
  const plugins = await selectPlugins(sources, config.plugins, strangers.keys(), { env, runner });
  const app = buildApp(config, plugins, { sections: strangers });
  try {
    await app.ready();
  } catch (error) {
    await app.close().catch(() => undefined);
    throw typeof (error as { row?: unknown }).row === 'object'
      ? error
      : serverErrors.BOOT_FAILED({ reason: (error as Error).message }, error);
  }
  reportHandlers(app, link);
  reportGateway(app, link);
  return {
    config,
    operations: createOperations(app, link),
    warn: (details, message) => app.kernel.log.warn(details, message),
    close: closer(app, config.shutdown_grace_ms),
  };
}

const sweepEveryMs = 20;

/** Keeps the host's knowledge of whether this process is the gateway fresh. */
function reportGateway(app: FastifyInstance, link: HostLink): void {
  if (!app.hasDecorator('guardian')) return;
  const undo = app.guardian.onChange(() => link.gateway(app.guardian.is_gateway));
  app.kernel.scope.add('gateway report', undo);
}

/** Keeps the host's knowledge of which tools have handlers fresh. */
function reportHandlers(app: FastifyInstance, link: HostLink): void {
  if (!app.hasDecorator('tools')) return;
  const { bus, scope } = app.kernel;
  const report = (): void => {
    const executable = app.tools.list().filter(each => each.handler !== undefined);
    link.handlers(executable.map(each => each.name));
  };
  for (const name of ['skill.loaded', 'skill.unloaded']) {
    const id = bus.subscribe(name, report);
    scope.add(`handlers on ${name}`, () => void bus.unsubscribe(name, id));
  }
  report();
}

/** What is called off at the end of the grace has this long to say so. */
const lingerMs = 1000;
/** When connections are cut that outlive the grace. */
export const cutAfterMs = (graceMs: number): number => graceMs + lingerMs;

/** Makes the function that drains and closes an application; connections that outlive `graceMs` are cut. */
export function closer(app: FastifyInstance, graceMs: number): () => Promise<void> {
  const { server } = app;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Node counts a connection that never asked anything as busy, and one that answered last may turn idle only now.
  const sweep = (): void => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    server.closeIdleConnections();
  };

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // The application waits for requests in flight; whoever is still connected after the grace is cut off.
    const cut = setTimeout(() => server.closeAllConnections(), cutAfterMs(graceMs));
    const sweeping = setInterval(sweep, sweepEveryMs);
    try {
      // Told while the calls in flight still run: who looks for an instance meanwhile takes another.
      if (app.hasDecorator('registration')) void app.registration.leaving();
      const closed = app.close();
      sweep();
      await closed;
    } finally {
      clearTimeout(cut);
      clearInterval(sweeping);
    }
  };
  return () => {
    closing ??= close();
    return closing;
  };
}
