/** Rules of "Server the service", "Server operations", "Tool lifecycle and skill records". */
import { decided, section } from '../requirement.ts';

const handle = section('service', 'Server the service (returned by start)', {
  port: 'port is the port that is really bound.',
  'bind-addr': 'bind_addr is the bind address with the port.',
  'is-gateway': 'is_gateway is false in a process that did not win the gateway port.',
  'is-gateway-true': 'is_gateway is true in the process that won the gateway port.',
  'instance-id-none': 'instance_id is none while registration is disabled or unavailable.',
  'instance-id': 'instance_id is the UUID registered in the file registry, kept after shutdown.',
  'mcp-url': 'mcp_url() is the full URL of the MCP endpoint.',
  shutdown: 'shutdown() is graceful and waits until the server has stopped.',
  'shutdown-drains': 'shutdown() lets calls in flight finish.',
  'signal-shutdown': 'signal_shutdown() signals the shutdown and returns without waiting for it.',
  background: 'The server runs in the background: start returns while it serves.',
  'never-blocks-host': 'Serving never blocks the main thread of the host application.',
});

const operations = section('ops', 'Server operations (programmatic)', {
  start: 'start() starts in the background and returns the service.',
  'register-handler': 'register_handler attaches a handler that receives the decoded params.',
  'has-handler': 'has_handler tells whether a tool has a handler.',
  discover: 'discover(extra_paths, dcc_name) scans for skills and returns how many it found.',
  'load-skill': 'load_skill loads a skill, registers its tools and returns their names.',
  'unload-skill': 'unload_skill removes the tools and returns whether the skill was loaded.',
  'search-skills-empty':
    'search_skills without arguments returns the top `limit` skills by scope: Admin, System, User, Repo.',
  'search-skills-filters': 'search_skills filters by query, tags, dcc and scope.',
  'search-skills-limit': 'search_skills returns at most `limit` summaries.',
  'list-skills-status': 'list_skills filters by the status loaded or unloaded.',
  'is-loaded': 'is_loaded tells whether a skill is loaded.',
  'loaded-count': 'loaded_count is the number of loaded skills.',
  'register-tool': decided(
    'registerTool(definition, handler?) before or after start, because the specification names no operation for it.',
    'A host registers a tool with its definition and, with or after it, a handler.',
  ),
  'set-scene': 'resources().set_scene replaces or clears the scene snapshot.',
  'wire-audit-log': 'resources().wire_audit_log forwards audit records.',
  'session-event-buffer': 'resources().register_session_event_buffer exposes a buffer.',
  'add-producer': 'resources().add_producer registers a custom producer before start.',
  'producer-shape': 'A producer has a scheme, a list and a read; an unknown URI is not found.',
});

const lifecycle = section('tool', 'Tool lifecycle and skill records', {
  fields: 'A tool is registered with name, description, category, tags, dcc, version and input_schema.',
  'schema-text': 'input_schema may be given as JSON text.',
  'skill-stub': 'An unloaded skill appears in tools/list as __skill__<name> with a one-line description.',
  'skill-stub-schema': decided(
    'Every MCP revision demands an inputSchema, so a stub carries the minimal {"type":"object"}.',
    'A stub declares no parameters.',
  ),
  'skill-stub-replaced': 'Loading a skill replaces its stub by its tools, unloading brings the stub back.',
  'group-stub': 'An inactive tool group appears in tools/list as __group__<name>.',
  'name-limit': decided(
    'Published names have at most 64 characters, the limit of the strictest clients.',
    'A tool whose published name would be longer is refused with a clear error.',
  ),
  'gateway-slug': 'The gateway slug of a tool is <dcc>.<id8>.<tool>.',
  'instance-slug': 'The direct per-instance slug of a tool is <dcc>.<skill>.<action>.',
});

export const service = [...handle, ...operations, ...lifecycle];
