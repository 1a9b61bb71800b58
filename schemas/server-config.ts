/**
 * The server configuration object: names, types, defaults and meanings, spelled here and nowhere else.
 * The README option table, the command-line flags, the environment variables and the config file all derive from it.
 */
import { type Static, Type } from 'typebox';

const flag = (defaultValue: boolean, description: string) => Type.Boolean({ default: defaultValue, description });
const count = (defaultValue: number, description: string, minimum = 0, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Integer({ default: defaultValue, minimum, maximum, description });
const seconds = (defaultValue: number, description: string) =>
  Type.Number({ default: defaultValue, minimum: 0.01, maximum: 86400, description });
const optionalText = (description: string) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Null()], { default: null, description });

/** The properties of the specification's "Server configuration object" table. */
const specified = {
  port: count(0, 'TCP port; 0 means OS-assigned', 0, 65535),
  host: Type.String({ default: '127.0.0.1', minLength: 1, description: 'bind address (local only)' }),
  endpoint_path: Type.String({ default: '/mcp', pattern: '^/[A-Za-z0-9._~/-]*$', description: 'MCP endpoint path' }),
  server_name: Type.String({ default: 'svc', minLength: 1, description: 'name in the initialize response' }),
  server_version: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    default: null,
    description: 'version in the initialize response; null means the package version',
  }),
  max_sessions: count(100, 'maximum concurrent SSE sessions', 1),
  request_timeout_ms: count(30000, 'per-request timeout', 1, 2147483647),
  enable_cors: flag(false, 'CORS headers for browser clients'),
  session_ttl_secs: count(3600, 'idle session lifetime; 0 disables eviction'),
  lazy_actions: flag(false, 'expose only the three meta-tools instead of every tool'),
  gateway_port: count(9765, 'gateway port to compete for; 0 disables gateway and admin', 0, 65535),
  admin_enabled: flag(true, 'elected gateway serves the admin UI'),
  admin_path: Type.String({ default: '/admin', pattern: '^/', description: 'URL prefix of the admin UI' }),
  registry_dir: optionalText('directory of the shared file registry (default: OS temp dir)'),
  stale_timeout_secs: count(30, 'seconds without heartbeat before an instance is stale', 1),
  heartbeat_secs: count(5, 'heartbeat interval; 0 disables'),
  dcc_type: optionalText('host type reported to the registry'),
  dcc_version: optionalText('host version reported to the registry'),
  scene: optionalText('open scene file, used for gateway routing'),
  spawn_mode: Type.Enum(['ambient', 'dedicated'], {
    default: 'dedicated',
    description: '`ambient` (standalone binary) or `dedicated` (embedded; own OS thread)',
  }),
  self_probe_timeout_ms: count(200, 'max wait when probing a freshly bound listener; 0 disables'),
  bare_tool_names: flag(true, 'publish unique action names without the `<skill>__` prefix'),
  enable_tool_cache: flag(true, 'per-session cache of the tools/list result'),
  enable_resources: flag(true, 'advertise resources capability and built-in resources'),
  enable_artefact_resources: flag(false, 'enable the `artefact://` scheme'),
  enable_job_notifications: flag(true, 'emit the `$/dcc.*` job and workflow notification channels'),
  job_storage_path: optionalText('path of persistent job storage'),
  job_recovery: Type.Enum(['drop', 'requeue'], {
    default: 'drop',
    description: 'what becomes of jobs left by a previous run; `requeue` behaves as `drop`',
  }),
  job_retention_hours: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    default: null,
    description: 'startup pruning age for terminal jobs',
  }),
};

/** Options of ours, beyond the table. */
const ours = {
  gateway_host: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'address of the gateway; with gateway_port where it is looked for and launched',
  }),
  gateway_name: optionalText('name of the gateway in its initialize response and its registry row'),
  ensure_gateway: flag(true, 'launch and guard the gateway daemon; off, only the registry row is published'),
  legacy_gateway_election: flag(
    false,
    'serve the gateway in the first server that binds gateway_port, without a daemon',
  ),
  gateway_guardian_interval: seconds(
    5,
    'seconds between health probes of the gateway; a refused one is repeated after a fifth of it',
  ),
  gateway_guardian_timeout: seconds(0.5, 'seconds that one health probe of the gateway may take'),
  gateway_guardian_failures: count(2, 'consecutive failed probes before the gateway is ensured again', 1),
  gateway_launch_lock_stale_secs: count(30, 'age after which the launch lock of another launcher is reclaimed', 1),
  gateway_ensure_timeout_secs: seconds(15, 'how long a launched gateway may take to answer'),
  gateway_persist: flag(false, 'the gateway daemon stays when no server is left'),
  gateway_idle_timeout_secs: count(30, 'how long the gateway daemon stays after the last server; 0 means for ever'),
  skill_paths: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'directories of skill packages, searched before the environment and user paths',
  }),
  bundled_skills: flag(true, 'offer the skills that ship with the package'),
  watch_skills: flag(true, 'reload skills when their files change on disk'),
  watch_debounce_ms: count(20, 'quiet time after a change before a skill reloads', 0, 60000),
  skill_heap_mb: count(256, 'JavaScript heap limit of one skill worker, in MiB', 16, 65536),
  skill_config: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
    default: {},
    description: 'settings by skill name, handed to the skill as `ctx.config`',
  }),
  tools_page_size: count(32, 'tools per tools/list page', 1, 10000),
  resources_page_size: count(100, 'resources per resources/list page', 1, 10000),
  resource_update_interval_ms: count(20, 'least time between two rounds of resource update notifications', 0, 60000),
  max_resource_bytes: count(8388608, 'largest content of one resource read, as text or base64', 1024),
  max_session_subscriptions: count(1000, 'resources that one session may follow', 1),
  max_request_body_bytes: count(4194304, 'largest request body; beyond it 413', 1024),
  max_batch_size: count(100, 'most messages in one JSON-RPC batch', 1),
  allowed_hosts: Type.Array(Type.String(), {
    default: [],
    description: 'Host names accepted beside the loopback names',
  }),
  allowed_origins: Type.Array(Type.String(), {
    default: [],
    description: 'Origins accepted beside loopback ones, such as `https://studio.example`; `*` accepts any',
  }),
  sse_heartbeat_secs: count(15, 'comment line on idle event streams; 0 disables'),
  sse_replay_events: count(256, 'events kept per session for Last-Event-ID replay'),
  sse_client_max_bytes: count(1048576, 'unread bytes after which a slow event-stream client is cut off', 1024),
  host_queue_max: count(1024, 'most calls waiting for the host main thread', 1),
  host_slice_ms: count(4, 'time the host main thread gives to queued calls per tick', 1, 1000),
  shutdown_grace_ms: count(5000, 'how long shutdown waits for calls in flight'),
  max_running_jobs: count(32, 'most background jobs that run at once, the jobs of jobs apart', 1),
  max_running_jobs_per_tool: count(8, 'most background jobs of one tool that run at once', 1),
  max_pending_jobs: count(10000, 'most background jobs that wait for their turn', 1),
  max_job_result_bytes: count(8388608, 'largest result of a background job; beyond it the job fails', 1024),
  max_kept_jobs: count(10000, 'finished jobs kept in memory, the newest', 1),
  job_cancel_grace_ms: count(
    5000,
    'how long a cancelled job may take to end by itself before its skill worker is ended',
    1,
    600000,
  ),
  response_format: Type.Enum(['toon', 'json'], {
    default: 'toon',
    description: 'encoding of REST answers for clients that name none, where gateway_response_format is not set',
  }),
  gateway_response_format: Type.Union([Type.Enum(['toon', 'json']), Type.Null()], {
    default: null,
    description: 'the same for the gateway alone',
  }),
  search_lexicon: optionalText(
    "file or folder of lexicon rows that the gateway's search knows beside its own; read at start",
  ),
  gateway_read_only: flag(false, 'the gateway loads no skills and calls only tools that say that they only read'),
  gateway_allowed_dcc_types: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'host types that the gateway serves; none means all',
  }),
  gateway_allowed_skills: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'skills whose tools the gateway serves; none means all',
  }),
  gateway_allowed_tools: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'tools that the gateway serves, by slug or name; none means all',
  }),
  gateway_relay_sources: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'relays whose tunnels are instances, each ADMIN=PUBLIC',
  }),
  gateway_discover_mdns: flag(false, 'find instances of the local network by mDNS'),
  gateway_remote_host: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'address of the second listener',
  }),
  gateway_remote_port: count(0, 'port of a second listener of the gateway, for tunnels; 0 opens none', 0, 65535),
  advertise_mdns: flag(false, 'advertise this server on the local network by mDNS'),
  gateway_register_tokens: Type.Array(
    Type.Object(
      {
        token: Type.String({ minLength: 16, pattern: '^\\S+$', description: 'the bearer token' }),
        label: Type.String({ minLength: 1, description: 'whose it is' }),
        allowed_dcc: Type.Optional(
          Type.Array(Type.String({ minLength: 1 }), { description: 'host types it may register; none means all' }),
        ),
      },
      { additionalProperties: false },
    ),
    { default: [], description: 'bearer tokens for the registration of remote instances; none leaves it open' },
  ),
  rest_tokens: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'bearer tokens for the REST routes of this server; none means that only peers of its machine may',
  }),
  gateway_wait_timeout_ms: count(600000, 'longest wait of one call for the end of its background job', 1, 2147483647),
  cache_dir: optionalText('directory of compiled skill bundles (default: the user cache directory)'),
  adapter_version: optionalText('version of the adapter, reported to the registry'),
  adapter_dcc: optionalText('host type that the adapter was made for, reported to the registry'),
  log_level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    default: 'info',
    description: 'lowest level written to the log (stderr)',
  }),
  plugins: Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Record(Type.String(), Type.Unknown())]), {
    default: {},
    description:
      'plugins by name or module: `false` switches one off, `true` adds one, an object adds one with these settings',
  }),
  log_file: optionalText('also append the log to this file'),
};

/** JSON Schema of the server configuration; unknown keys are refused. */
export const ServerConfigSchema = Type.Object(
  { ...specified, ...ours },
  { $id: 'svc:server-config', description: 'Server configuration object', additionalProperties: false },
);

/** A complete, validated configuration. */
export type ServerConfig = Static<typeof ServerConfigSchema>;

/** What a caller may give: any subset. */
export type ServerOptions = Partial<ServerConfig>;
