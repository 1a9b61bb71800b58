/** A server without its surroundings: configuration, plugins, application. Runs in place or in its thread. */
import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from '../../schemas/server-config.ts';
import { buildApp } from '../app.ts';
import { resolveConfig } from '../config.ts';
import { isSvcError, messageOf } from '../errors.ts';
import type { KernelParts } from '../kernel.ts';
import type { Plugin } from '../plugin.ts';
import { serverErrors } from './errors.ts';
import type { HostLink, OwnHost } from './host.ts';
import { type PluginSource, selectPlugins } from './selection.ts';
import type { CoreInput, ThreadMethods } from './wire.ts';

export interface Core extends ThreadMethods {
  graceMs: number;
}

/** Boots a server that does not listen yet; leaves nothing behind when that fails. */
export async function bootCore(
  { options, env, file, plugins, resolveFrom }: CoreInput,
  sources: readonly PluginSource[],
  link: HostLink,
  added: readonly Plugin[] = [],
): Promise<Core> {
  const config = resolveConfig(options, env, file);
  const selected = await selectPlugins(sources, { switches: plugins, added, resolveFrom });
  const { app, close } = await bootApp(config, selected, { env, link });
  const host = app.host as OwnHost;
  return {
    graceMs: config.shutdown_grace_ms,
    call: host.call,
    undo: host.undo,
    start: host.run,
    close,
    failed: failure => app.kernel.log.warn(failure, 'the host failed at what it was told'),
  };
}

/** An application that is ready and does not listen, and what drains and closes it, once. */
export async function bootApp(config: ServerConfig, plugins: readonly Plugin[], parts: KernelParts) {
  const app: FastifyInstance = buildApp(config, plugins, parts);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= app.close().then(() => undefined);
    return closing;
  };
  try {
    await app.ready();
  } catch (error) {
    await close().catch(() => undefined);
    throw isSvcError(error) ? error : serverErrors.BOOT_FAILED({ reason: messageOf(error) }, error);
  }
  return { app, close };
}
