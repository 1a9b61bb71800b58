/** What servers and the gateway daemon that they share leave for each other in the registry directory. Pure. */
import { hashed, type TokenEntry } from './tokens.ts';

/** Files of the gateway on a port. */
export const daemonFiles = (port: number) => ({
  /** What the daemon is set to, as a configuration file: only its user may read it, because tokens are among it. */
  settings: `gateway-${port}-settings.json`,
  /** The command of the newer gateway that the daemon is to go on as. */
  successor: `gateway-${port}-successor.json`,
  /** Which process is the daemon that a server launched, for people and for other programs. */
  launched: `gateway-autolaunch-${port}.json`,
});

/** A command that starts a gateway. */
export interface DaemonCommand {
  executable: string;
  args: string[];
}

/** What a gateway that goes on for another says to it: it has booted and takes what is listened on, it listens, it failed. */
export type SuccessorWord = { ready: true } | { port: number } | { failure: { message: string } };
/** Comes with each of the sockets. */
export type SocketWord = { sockets: number };
/** Comes before them: MCP sessions that go on in the newer process, as records of its `mcp` room. */
export type SessionsWord = { sessions: readonly unknown[] };

/** Settings that speak of one process, or that the daemon has from its command line. */
const ownToProcess: ReadonlySet<string> = new Set([
  ...['port', 'host', 'endpoint_path', 'server_name', 'server_version', 'self_probe_timeout_ms', 'spawn_mode'],
  ...['max_request_body_bytes', 'log_file', 'terminal_log_level', 'plugins', 'dcc_type', 'adapter_version'],
  ...['gateway_host', 'gateway_port', 'registry_dir'],
]);

/** Of a configuration, what a daemon has from the server that launches it; `names` are the settings of the gateway. */
export const daemonSettings = (config: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(
    names
      .filter(each => !ownToProcess.has(each))
      // No token is written to a disk.
      .map(each => [each, each === 'auth_tokens' ? (config[each] as TokenEntry[]).map(hashed) : config[each]]),
  );

/** The row in the registry that stands for a gateway. */
export const gatewayType = '__gateway__';
