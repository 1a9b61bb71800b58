/** A gateway as an application: for the daemon, and for the server that won the legacy election. */
import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bootApp, type Config, type Environment, type PluginSource, selectPlugins } from '../../../kernel/index.ts';
import type {} from '../../gateway/index/api.ts';
import type {} from '../../instances/registry/api.ts';
import type {} from '../../listener/api.ts';
import type { SessionRecord } from '../../mcp/api.ts';
import type { SentinelService } from './api.ts';
import type { Settings } from './config.ts';

export interface GatewayInput {
  /** Of the server that opens it, or of the command line: `gateway_host` and `gateway_port` are what it listens on. */
  config: Config<Settings>;
  env: Environment;
  /** A daemon of its own, which ends when idle; otherwise beside a server. */
  standalone: boolean;
  /** Its process is nobody's child: it may go on as another one, of a newer version. */
  handsOver?: boolean;
  /** It goes on for an older gateway: called when it is ready, resolves with what that one hands on. */
  takeOver?(): Promise<TakenOver>;
}

/** What an older gateway hands on. */
export interface TakenOver {
  /** What it listens on. */
  readonly sockets: readonly Server[];
  /** Sessions of its MCP clients. */
  readonly sessions: readonly unknown[];
}

export interface OpenGateway {
  readonly port: number;
  readonly origin: string;
  /** The registry directory. */
  readonly directory: string;
  /** Resolves when it should end by itself, with why: `idle` or `yielded`. Who opened it then closes it. */
  readonly ended: Promise<string>;
  /** Resolves when another process has gone on for it: it only gives its last answers then. */
  readonly handedOn: Promise<void>;
  /** Goes on as another process, no call lost; resolves with its id, rejects when it did not start. */
  goOn: SentinelService['goOn'];
  /** Drains and closes; idempotent. */
  close(): Promise<void>;
}

/** How long a gateway that goes on for another waits for the tools of slow instances. */
const readMs = 5000;

/** Boots the gateway's plugins and listens, exclusively; rejects with SVC_SERVER_* and leaves nothing behind. */
export async function openGateway(sources: readonly PluginSource[], input: GatewayInput): Promise<OpenGateway> {
  const { config, env } = input;
  const choice = { switches: config.gateway_plugins, resolveFrom: [process.cwd()] };
  const { plugins, sections } = await selectPlugins(sources, choice);
  const { app, close } = await bootApp(gatewayConfig(config), plugins, { env, sections });
  try {
    app.sentinel.standalone = input.standalone;
    app.sentinel.handsOver = input.handsOver === true;
    // Whom it goes on for knew every tool: who searches now finds them, too.
    if (input.takeOver) await atMost(readMs, app.capabilities.refresh());
    const taken = await input.takeOver?.();
    if (taken) await app.mcp.sessions.adopt(taken.sessions as SessionRecord[]);
    const { port, origin } = await app.listener.listen(taken?.sockets);
    const { ended, handedOn, goOn } = app.sentinel;
    return { port, origin, directory: app.registry.directory, ended, handedOn, goOn, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

const atMost = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const over = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: over.signal })]);
  over.abort();
};

/** The one schema serves both kinds of process: what speaks of the listener is the gateway's here. */
function gatewayConfig(config: Config<Settings>): Config<Settings> {
  return Object.freeze({
    ...config,
    host: config.gateway_host,
    port: config.gateway_port,
    endpoint_path: '/mcp',
    server_name: config.gateway_name ?? config.server_name,
    max_request_body_bytes: config.gateway_http_body_limit_bytes,
  });
}
