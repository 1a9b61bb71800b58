/** A server without its surroundings: configuration, plugins, application. Runs in place or in its thread. */
import { isatty } from 'node:tty';
import type { FastifyInstance } from 'fastify';
import { environmentName } from '../../schemas/option-text.ts';
import type { SettingsSchema } from '../../schemas/settings-schema.ts';
import { messageOf } from '../../schemas/thrown.ts';
import { unknownVariables } from '../../schemas/variables.ts';
import { type AppParts, buildApp } from '../app.ts';
import { type Config, resolveConfig } from '../config.ts';
import { isSvcError } from '../errors.ts';
import type { Plugin } from '../plugin.ts';
import { serverErrors } from './errors.ts';
import type { HostLink, OwnHost } from './host.ts';
import { type PluginSource, selectPlugins } from './selection.ts';
import type { CoreInput, ThreadMethods } from './wire.ts';

/** What a server is composed of. */
export interface Sources {
  sources: readonly PluginSource[];
  /** The settings that it takes. */
  settings(): Promise<SettingsSchema>;
}

export interface Core extends ThreadMethods {
  graceMs: number;
}

/** Boots a server that does not listen yet; leaves nothing behind when that fails. */
export async function bootCore(
  { options, env, file, configFile, resolveFrom }: CoreInput,
  { sources, settings }: Sources,
  link: HostLink,
  added: readonly Plugin[] = [],
): Promise<Core> {
  const schema = await settings();
  const config = resolveConfig(options, env, file, schema, configFile);
  const { plugins, sections } = await selectPlugins(sources, { switches: config.plugins, added, resolveFrom });
  const { app, close } = await bootApp(config, plugins, { env, link, sections });
  const known = Object.keys(schema.properties).map(environmentName);
  for (const text of unknownVariables(Object.keys(env), known)) app.kernel.log.warn(text);
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
export async function bootApp(config: Config, plugins: readonly Plugin[], parts: AppParts) {
  const terminal = isatty(2) && (await import('../../schemas/log-text.ts')).logText(!parts.env?.NO_COLOR);
  const app: FastifyInstance = buildApp(config, plugins, { ...parts, ...(terminal && { forPeople: terminal }) });
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
