/** Rules of "Server configuration object". */
import { decided, deferred, section } from '../requirement.ts';

/** One rule per property: its name, type and default. */
const properties = section('config', 'Server configuration object', {
  port: 'port is an integer and defaults to 0.',
  host: 'host is a string and defaults to 127.0.0.1.',
  endpoint_path: 'endpoint_path is a string and defaults to /mcp.',
  server_name: 'server_name is a string and defaults to svc.',
  server_version: 'server_version is a string and defaults to the version of the package.',
  max_sessions: 'max_sessions is an integer and defaults to 100.',
  request_timeout_ms: 'request_timeout_ms is an integer and defaults to 30000.',
  enable_cors: 'enable_cors is a boolean and defaults to false.',
  session_ttl_secs: 'session_ttl_secs is an integer and defaults to 3600.',
  lazy_actions: 'lazy_actions is a boolean and defaults to false.',
  gateway_port: 'gateway_port is an integer and defaults to 9765.',
  admin_enabled: 'admin_enabled is a boolean and defaults to true.',
  admin_path: 'admin_path is a string and defaults to /admin.',
  registry_dir: 'registry_dir is a string or none and defaults to none.',
  stale_timeout_secs: 'stale_timeout_secs is an integer and defaults to 30.',
  heartbeat_secs: 'heartbeat_secs is an integer and defaults to 5.',
  dcc_type: 'dcc_type is a string or none and defaults to none.',
  dcc_version: 'dcc_version is a string or none and defaults to none.',
  scene: 'scene is a string or none and defaults to none.',
  spawn_mode: 'spawn_mode is ambient or dedicated and defaults to dedicated.',
  self_probe_timeout_ms: 'self_probe_timeout_ms is an integer and defaults to 200.',
  bare_tool_names: 'bare_tool_names is a boolean and defaults to true.',
  enable_tool_cache: 'enable_tool_cache is a boolean and defaults to true.',
  enable_resources: 'enable_resources is a boolean and defaults to true.',
  enable_artefact_resources: 'enable_artefact_resources is a boolean and defaults to false.',
  enable_job_notifications: 'enable_job_notifications is a boolean and defaults to true.',
  job_storage_path: 'job_storage_path is a string and defaults to unset.',
  job_recovery: 'job_recovery is drop or requeue and defaults to drop.',
  job_retention_hours: 'job_retention_hours is an integer and defaults to unset.',
});

/** What the properties do, and how they are set. */
const behaviour = section('config', 'Server configuration object', {
  'port-zero': 'With port 0 the operating system assigns the port, and the service reports the real one.',
  'port-fixed': 'A port other than 0 is the port that the server binds.',
  'host-bind': 'The server binds the address of host and no other.',
  'endpoint-path-moves': 'The MCP endpoint answers at endpoint_path and nowhere else.',
  'server-name-reported': 'server_name is the name in the initialize response.',
  'server-version-reported': 'server_version is the version in the initialize response.',
  'max-sessions-bound': 'No more than max_sessions sessions exist at once.',
  'max-sessions-refusal': decided(
    'MCP names no answer: 503 with Retry-After and a JSON-RPC error, and no session is made.',
    'An initialize beyond max_sessions is refused clearly and makes no session.',
  ),
  'request-timeout': 'A request that takes longer than request_timeout_ms is answered with an error.',
  'session-ttl-zero': 'session_ttl_secs 0 disables eviction.',
  'spawn-ambient': 'spawn_mode ambient serves in the thread that called start.',
  'spawn-dedicated': 'spawn_mode dedicated serves from its own thread, while the host thread is blocked too.',
  'self-probe': 'start waits at most self_probe_timeout_ms for the freshly bound listener to answer.',
  'self-probe-zero': 'self_probe_timeout_ms 0 disables the probe.',
  'bare-names-unique': 'With bare_tool_names a unique action is published without its skill prefix.',
  'bare-names-collision': 'With bare_tool_names colliding actions are published as <skill>__<action>.',
  'bare-names-off': 'Without bare_tool_names every skill action is published as <skill>__<action>.',
  'bare-names-boolean': 'bare_tool_names accepts only booleans when set through the options object.',
  'bare-names-identity': 'bare_tool_names changes neither the host identity nor the pagination of tools/list.',
  'tool-cache-off': 'Without enable_tool_cache every tools/list is built anew, with the same answer.',
  'resources-capability-off': 'With enable_resources false the initialize response has no resources capability.',
  'unknown-key': decided('The specification is silent: refused by name.', 'An unknown option is refused by name.'),
  environment: decided(
    'Each option NAME is read from SVC_NAME.',
    'An option may be given in the environment; an option in the object wins over it.',
  ),
  'lazy-tool-schemas': 'lazy_tool_schemas is planned and not available: giving it is refused.',
  'gateway-election': deferred('issue: gateway', 'The server competes for gateway_port; 0 disables gateway and admin.'),
  'admin-served': deferred('issue: admin', 'The elected gateway serves the admin UI under admin_path.'),
  'registry-rows': deferred(
    'issue: gateway',
    'The instance is written to registry_dir with its heartbeat and host data.',
  ),
  'artefact-scheme': 'enable_artefact_resources enables the artefact:// scheme.',
  'job-storage': 'job_storage_path makes jobs outlive the server.',
});

export const configuration = [...properties, ...behaviour];
