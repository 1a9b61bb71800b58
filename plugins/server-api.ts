/** The server object and the service handle: what an adapter programs against, the same in both spawn modes. */
import type { BeforeHook, Environment, EventEnvelope, EventInput, Plugin, Veto } from '../kernel/light.ts';
import type { ToolDefinition } from '../schemas/tool.ts';
import type { AuditOutcome } from './audit/api.ts';
import type { HostHandler } from './host/api.ts';
import type { WorkflowInput, WorkflowReceipt } from './jobs/workflows/api.ts';
import type { ResourceProducer } from './resources/api.ts';
import type { ArtefactStore } from './resources/schemes/artefact/api.ts';
import type { UsdProject } from './resources/schemes/openusd/api.ts';
import type { PagedBuffer } from './resources/schemes/session-events/api.ts';
import type { SearchSkillsInput, SkillSummary } from './skills/api.ts';

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

/** The event bus, seen from the host. */
export interface ServerBus {
  /**
   * Calls `subscriber` on the host for every event of that exact name, `prefix.*` or `*`; resolves with the id. A
   * subscriber receives the envelope, or the attributes alone of what was published in the legacy form.
   */
  subscribe(name: string, subscriber: (event: EventEnvelope) => unknown): Promise<number>;
  /** False when name and id do not name a subscription. */
  unsubscribe(name: string, id: number): Promise<boolean>;
  /** Registers a policy hook; rejects with SVC_SERVER_NOT_VETOABLE for another name than the vetoable ones. */
  before(name: string, hook: BeforeHook): Promise<number>;
  unsubscribeBefore(name: string, id: number): Promise<boolean>;
  /** Emits a structured event; resolves with its envelope. */
  emit(name: string, input?: EventInput): Promise<EventEnvelope>;
  /** Legacy form: subscribers receive the attributes alone. */
  publish(name: string, attributes?: Record<string, unknown>): Promise<void>;
  /** A veto with a code, for a hook to return. */
  veto(reason: string, code?: string): Veto;
}

/** An audit log of the host: calls back with every record, and returns how to stop when it can. */
export interface HostAuditLog {
  onRecord(callback: (record: HostAuditRecord) => void): unknown;
}

/** One record of the host's audit log; `action` alone is required. */
export interface HostAuditRecord {
  action: string;
  timestamp_ms?: number;
  actor?: string;
  /** JSON text of the parameters; secrets are censored on arrival. */
  params_json?: string;
  duration_ms?: number;
  outcome?: AuditOutcome;
}

/** Resources of the host. Everything may be registered before or after start. */
export interface ServerResources {
  /** Replaces or, with null, clears the scene snapshot; an identical one emits nothing. */
  setScene(snapshot: unknown): Promise<void>;
  /** Forwards every record of a host's audit log to `audit://recent`. */
  wireAuditLog(log: HostAuditLog): Promise<AsyncDisposer>;
  /** Exposes a session event buffer, which stays on the host's thread, as `events://session/<session_id>`. */
  registerSessionEventBuffer(buffer: PagedBuffer): Promise<AsyncDisposer>;
  /** Serves a scheme from the host's thread. `enabled` and `templates` are asked once, now. */
  addProducer(producer: ResourceProducer): Promise<AsyncDisposer>;
  /**
   * Serves the files of an OpenUSD project as `openusd://`, one project at a time, and tells of their changes; nothing
   * outside its root is read.
   */
  registerOpenusd(project: UsdProject): Promise<AsyncDisposer>;
  /** The store behind `artefact://`; it works whether or not `enable_artefact_resources` shows it to clients. */
  readonly artefacts: ArtefactStore;
  /** Tells subscribers of `uri` that it changed. */
  updated(uri: string): Promise<void>;
  /** Tells clients that the list of resources changed. */
  listChanged(): Promise<void>;
}

/** A running server, as `start()` resolves with it. */
export interface Service {
  /** The port that was bound. */
  readonly port: number;
  /** Bind address with port, such as `127.0.0.1:8765`. */
  readonly bind_addr: string;
  /** True while this process serves the gateway: it won the port, at the start or later. */
  readonly is_gateway: boolean;
  /** UUID in the file registry; null when not registered. Keeps its value after shutdown. */
  readonly instance_id: string | null;
  /** Process id of the server. */
  readonly pid: number;
  /** URL of the MCP endpoint. */
  mcpUrl(): string;
  /** Refuses new calls, waits for those in flight up to `shutdown_grace_ms`, resolves when everything has stopped. */
  shutdown(): Promise<void>;
  /** Begins the same shutdown and returns at once. */
  signalShutdown(): void;
  /** Resolves when the server has ended, whatever ended it. */
  stopped(): Promise<StopReport>;
}

/** A server. Made by `createServer`; it boots on first need, and `start()` makes it listen. */
export interface Server {
  /** Listens; resolves with the service. A second call resolves with the same one; after shutdown it rejects. */
  start(): Promise<Service>;
  /** Adds a tool of the host, before or after start; without a handler it is visible but cannot be called. */
  registerTool(definition: ToolDefinition, handler?: HostHandler): Promise<AsyncDisposer>;
  /** Attaches a handler to a tool by name. It receives the decoded arguments and runs on the host's main thread. */
  registerHandler(name: string, handler: HostHandler): Promise<AsyncDisposer>;
  /** Whether a tool has a handler, as far as the host's thread knows at this moment. */
  hasHandler(name: string): boolean;
  /** Scans for skills; resolves with the number found. */
  discover(extraPaths?: readonly string[], dccName?: string): Promise<number>;
  /** Loads a skill and registers its tools; resolves with their names. */
  loadSkill(name: string): Promise<string[]>;
  /** Unloads a skill; false when it was not loaded. */
  unloadSkill(name: string): Promise<boolean>;
  /** Searches skills; without arguments the first `limit` by scope: Admin, System, User, Repo. */
  searchSkills(input?: SearchSkillsInput): Promise<SkillSummary[]>;
  listSkills(status?: 'loaded' | 'unloaded'): Promise<SkillSummary[]>;
  isLoaded(name: string): Promise<boolean>;
  loadedCount(): Promise<number>;
  /** Starts tool calls in order as one background job; resolves at once with the ids. Follow it on the bus as `job.updated`. */
  runWorkflow(workflow: WorkflowInput): Promise<WorkflowReceipt>;
  readonly bus: ServerBus;
  /** What the host shows to clients as resources. */
  resources(): ServerResources;
  /** Ends the server whether or not it was started: what `shutdown()` of the service does. */
  close(): Promise<void>;
}
