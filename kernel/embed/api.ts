/** The server object and the service handle, without what plugins add to them: the same in both spawn modes. */
import type { Environment } from '../../schemas/variables.ts';
import type { Plugin } from '../plugin.ts';
import type { PortContext } from '../port.ts';

/** What `createServer` takes beside the configuration. */
export interface ServerExtra {
  /**
   * Features by name: `false` switches a built-in plugin off; a module specifier (an absolute path, a file URL, or a
   * package that the host can resolve) adds the plugin that it exports as `default` or `plugin`, with these settings or,
   * given `true`, its defaults. The same stands in the configuration file and, as JSON, in `SVC_PLUGINS`.
   */
  plugins?: Readonly<Record<string, boolean | Readonly<Record<string, unknown>>>>;
  /** Plugin objects, in `ambient` mode only: an object cannot cross to the server thread. */
  add?: readonly Plugin[];
  /** Environment that `SVC_*` options are read from; default: the process's own. */
  env?: Environment;
  /** JSON or YAML file of options; the environment and the options win over it. */
  configFile?: string;
}

/** Undoes a registration; resolves when the server has done so. Idempotent. */
export type AsyncDisposer = () => Promise<void>;

/** How a server ended. */
export interface StopReport {
  /** True when the server thread died by itself. */
  crashed: boolean;
  /** The error that ended it, when it crashed. */
  error: Error | undefined;
}

/** A running server, as `start()` resolves with it. */
export interface EmbeddedService {
  /** Process id of the server. */
  readonly pid: number;
  /** Refuses new calls, waits for those in flight up to `shutdown_grace_ms`, resolves when everything has stopped. */
  shutdown(): Promise<void>;
  /** Begins the same shutdown and returns at once. */
  signalShutdown(): void;
  /** Resolves when the server has ended, whatever ended it. */
  stopped(): Promise<StopReport>;
}

/** A server. Made by `createServer`; it boots on first need, and `start()` makes it listen. */
export interface EmbeddedServer<S extends EmbeddedService = EmbeddedService> {
  /** Listens; resolves with the service. A second call resolves with the same one; after shutdown it rejects. */
  start(): Promise<S>;
  /**
   * Calls what a plugin brought with `app.host.operation`. `input` is cloneable; resolves with what the plugin gave, or,
   * when that was a registration, with a disposer.
   */
  operation<T = unknown>(name: string, input?: unknown): Promise<T>;
  /** Answers what a plugin asks with `app.host.ask`, on this thread; returns how to stop. A question has one answer. */
  answer(question: string, answer: (payload: unknown, context: PortContext) => unknown): () => void;
  /** Ends the server whether or not it was started: what `shutdown()` of the service does. */
  close(): Promise<void>;
}
