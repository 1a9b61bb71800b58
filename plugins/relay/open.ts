/** A relay and a tunnel as programs of their own. */
import { bootApp, type Config, type Environment, type PluginSource, selectPlugins } from '../../kernel/index.ts';
import type {} from '../listener/api.ts';
import type { OpenedTunnel, TunnelAbout, TunnelState } from './api.ts';
import type { Settings as RelaySettings } from './config.ts';
import { ensureKey, readKey } from './keys.ts';
import { issueToken, type TokenInput } from './tokens.ts';
import type { Settings as TunnelSettings } from './tunnel-config.ts';

export interface RelayInput {
  config: Config<RelaySettings>;
  env: Environment;
}

export interface OpenRelay {
  readonly port: number;
  readonly origin: string;
  /** The tunnels that are connected. */
  tunnels(): TunnelAbout[];
  /** Drains and closes; idempotent. */
  close(): Promise<void>;
}

/** Makes the key where there is no file yet. */
export const makeRelayKey = ensureKey;

/** A token for tunnels; its key is made where there is no file yet. */
export async function issueTunnelToken(input: TokenInput): Promise<string> {
  await ensureKey(input.keyFile);
  return issueToken(input);
}

/** Boots the relay's plugins and listens; rejects with SVC_RELAY_* or SVC_SERVER_* and leaves nothing behind. */
export async function openRelay(sources: readonly PluginSource[], { config, env }: RelayInput): Promise<OpenRelay> {
  // A relay that could let nobody in says so at once.
  await readKey(config.relay_key_file);
  const { plugins, sections } = await selectPlugins(sources, {
    switches: config.plugins,
    resolveFrom: [process.cwd()],
  });
  const { app, close } = await bootApp(config, plugins, { env, sections });
  try {
    const { port, origin } = await app.listener.listen();
    return { port, origin, tunnels: app.relay.list, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

export interface TunnelInput {
  config: Config<TunnelSettings>;
  env: Environment;
  /** Told how the tunnel stands with its relay, at once and at each change. */
  onState?: (state: TunnelState) => void;
}

export interface OpenTunnel extends OpenedTunnel {
  close(): Promise<void>;
}

/** Opens a tunnel; resolves when its relay has taken it, rejects with SVC_RELAY_* and leaves nothing behind. */
export async function openTunnel(
  sources: readonly PluginSource[],
  { config, env, onState }: TunnelInput,
): Promise<OpenTunnel> {
  const { plugins, sections } = await selectPlugins(sources, {
    switches: config.plugins,
    resolveFrom: [process.cwd()],
  });
  const { app, close } = await bootApp(config, plugins, { env, sections });
  try {
    const { tunnel_id, public_url } = await app.tunnel.open(onState);
    return { tunnel_id, public_url, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}
