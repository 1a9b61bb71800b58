/** Settings that more than one plugin reads, spelled once, and what settings of one kind are made of. */
import { Type } from 'typebox';

/** A switch. */
export const flag = (defaultValue: boolean, description: string) =>
  Type.Boolean({ default: defaultValue, description });
/** A whole number. */
export const count = (defaultValue: number, description: string, minimum = 0, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Integer({ default: defaultValue, minimum, maximum, description });
/** A span of time in seconds. */
export const seconds = (defaultValue: number, description: string) =>
  Type.Number({ default: defaultValue, minimum: 0.01, maximum: 86400, description });
/** A text, or null for none. */
export const optionalText = (description: string) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Null()], { default: null, description });

/** A secret, or null for none: for the environment and the configuration file, and never a flag, which others can see. */
export const optionalSecret = (description: string) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Null()], { default: null, description, isSecret: true });

/** A path, or null for none; in a configuration file a relative one starts at the folder of the file. */
export const optionalPath = (description: string) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Null()], { default: null, description, isPath: true });

/** Host types that the registry takes: no control character, no slash. */
export const hostTypePattern = '^[^\\u0000-\\u001f/]{1,64}$';

export const usualMetricsPath = '/metrics';

/** By name; a plugin's `config.ts` picks those that it reads. */
export const shared = {
  dcc_type: Type.Union([Type.String({ minLength: 1, pattern: hostTypePattern }), Type.Null()], {
    default: null,
    description: 'host type reported to the registry: at most 64 characters, no slash',
  }),
  dcc_version: optionalText('host version reported to the registry'),
  adapter_version: optionalText('version of the adapter, reported to the registry'),
  registry_dir: optionalPath('directory of the shared file registry (default: OS temp dir)'),
  heartbeat_secs: count(5, 'heartbeat interval; 0 disables'),
  stale_timeout_secs: count(30, 'seconds without heartbeat before an instance is stale', 1),
  gateway_host: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'address of the gateway; with gateway_port where it is looked for and launched',
  }),
  gateway_port: count(9765, 'gateway port to compete for; 0 disables gateway and admin', 0, 65535),
  remote_gateway_url: optionalText('gateway of another machine, at which this server registers: http://studio:9765'),
  remote_gateway_token_file: optionalPath('file with the token that it asks for; read at each attempt'),
  remote_gateway_token: optionalSecret('the token itself'),
  gateway_name: optionalText('name of the gateway in its initialize response and its registry row'),
  gateway_persist: flag(false, 'the gateway daemon stays when no server is left'),
  gateway_idle_timeout_secs: count(30, 'how long the gateway daemon stays after the last server; 0 means for ever'),
  response_format: Type.Enum(['toon', 'json'], {
    default: 'toon',
    description:
      'form of answers for clients that name none, over REST and over MCP from revision 2025-06-18 on, where ' +
      'gateway_response_format is not set',
  }),
  gateway_response_format: Type.Union([Type.Enum(['toon', 'json']), Type.Null()], {
    default: null,
    description: 'the same for the gateway alone',
  }),
  admin_enabled: flag(true, 'elected gateway serves the admin UI'),
  admin_path: Type.String({ default: '/admin', pattern: '^/', description: 'URL prefix of the admin UI' }),
  metrics_path: Type.String({
    default: usualMetricsPath,
    pattern: '^/[A-Za-z0-9._~/-]+$',
    description: 'where metrics are served; metrics_enabled switches them on, a path alone does not',
  }),
  enable_cors: flag(false, 'CORS headers for browser clients'),
  sse_heartbeat_secs: count(15, 'comment line on idle event streams; 0 disables'),
  enable_resources: flag(true, 'advertise resources capability and built-in resources'),
  resources_page_size: count(100, 'resources per resources/list page', 1, 10000),
  agent_skills: flag(true, 'serve the skill packages to agents: skills/list, skills/get and skill:// resources'),
  max_result_bytes: count(
    16777216,
    'largest result of a tool as JSON, of a call as of a job; a larger one fails its call',
    1024,
  ),
  skills_page_size: count(50, 'skills per skills/list page', 1, 1000),
  gateway_remote_host: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'address of the second listener',
  }),
  gateway_remote_port: count(0, 'port of a second listener of the gateway, for tunnels; 0 opens none', 0, 65535),
};
