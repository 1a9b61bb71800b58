/** A gateway as an application: for the daemon, and for the server that won the legacy election. */
import { buildApp, type Config, type Environment } from '../kernel/index.ts';
import { closer } from './core.ts';
import type {} from './daemon/sentinel/api.ts';
import type {} from './instances/registry/api.ts';
import { listen } from './listen.ts';
import { createSecondListener } from './second-listener.ts';
import { type PluginSource, selectPlugins } from './selection.ts';
import { serverErrors } from './server-errors.ts';

export interface GatewayInput {
  /** Of the server that opens it, or of the command line: `gateway_host` and `gateway_port` are what it listens on. */
  config: Config;
  env: Environment;
  /** A daemon of its own, which ends when idle; otherwise beside a server. */
  standalone: boolean;
}

export interface OpenGateway {
  readonly port: number;
  readonly origin: string;
  /** The registry directory. */
  readonly directory: string;
  /** Resolves when it should end by itself, with why: `idle` or `yielded`. Who opened it then closes it. */
  readonly ended: Promise<string>;
  /** Drains and closes; idempotent. */
  close(): Promise<void>;
}

/** Boots the gateway's plugins and listens, exclusively; rejects with SVC_SERVER_* and leaves nothing behind. */
export async function openGateway(sources: readonly PluginSource[], input: GatewayInput): Promise<OpenGateway> {
  const config = gatewayConfig(input.config);
  const runner = { run: () => Promise.reject(serverErrors.FEATURE_OFF({ operation: 'run', plugin: 'host' })) };
  const { env, standalone } = input;
  const plugins = await selectPlugins(sources, {}, [], { env, runner, standalone });
  const second = createSecondListener(config.shutdown_grace_ms);
  const app = buildApp(config, [...plugins, second.plugin]);
  const closeApp = closer(app, config.shutdown_grace_ms);
  const close = (): Promise<void> => {
    second.stop();
    return closeApp();
  };
  try {
    await app.ready();
    const { port, origin } = await listen(app);
    if (config.gateway_remote_port > 0) await second.open(app, config.gateway_remote_host, config.gateway_remote_port);
    return {
      port,
      origin,
      directory: app.registry.directory,
      ended: app.sentinel.ended,
      close,
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** The one schema serves both kinds of process: what speaks of the listener is the gateway's here. */
function gatewayConfig(config: Config): Config {
  return Object.freeze({
    ...config,
    host: config.gateway_host,
    port: config.gateway_port,
    endpoint_path: '/mcp',
    server_name: config.gateway_name ?? config.server_name,
  });
}
