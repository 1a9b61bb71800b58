/**
 * What the kernel itself is set to; each plugin adds its own settings, in its `config.ts`. Names, types, defaults and
 * meanings are spelled in these places and nowhere else: the reference, the command-line flags, the environment variables
 * and the config file derive from them.
 */
import { type Static, Type } from 'typebox';
import { count, optionalPath } from './settings.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** JSON Schema of the kernel's own settings. */
export const ServerConfigSchema = Type.Object(
  {
    port: count(0, 'TCP port; 0 means OS-assigned', 0, 65535),
    host: Type.String({ default: '127.0.0.1', minLength: 1, description: 'bind address (local only)' }),
    endpoint_path: Type.String({ default: '/mcp', pattern: '^/[A-Za-z0-9._~/-]*$', description: 'MCP endpoint path' }),
    server_name: Type.String({ default: 'svc', minLength: 1, description: 'name in the initialize response' }),
    server_version: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
      default: null,
      description: 'version in the initialize response; null means the package version',
    }),
    request_timeout_ms: count(30000, 'per-request timeout', 1, 2147483647),
    spawn_mode: Type.Enum(['ambient', 'dedicated'], {
      default: 'dedicated',
      description: '`ambient` (standalone binary) or `dedicated` (embedded; own OS thread)',
    }),
    self_probe_timeout_ms: count(200, 'max wait when probing a freshly bound listener; 0 disables'),
    max_request_body_bytes: count(4194304, 'largest request body; beyond it 413', 1024),
    shutdown_grace_ms: count(5000, 'how long shutdown waits for calls in flight'),
    log_level: Type.Enum([...logLevels], { default: 'info', description: 'lowest level written to the log (stderr)' }),
    terminal_log_level: Type.Union([Type.Enum([...logLevels]), Type.Null()], {
      default: null,
      description: 'lowest level shown where stderr is a terminal; null means log_level',
    }),
    log_file: optionalPath('also append the log to this file; svc-server has one of its own by default'),
    log_max_bytes: count(10485760, 'size at which the log file is turned over, four older ones are kept; 0 never'),
    plugins: Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Record(Type.String(), Type.Unknown())]), {
      default: {},
      description:
        'plugins by name or module: `false` switches one off, `true` adds one, an object adds one with these settings',
    }),
  },
  { $id: 'svc:kernel-config', description: 'Server configuration object', additionalProperties: false },
);

/** The kernel's own settings, complete and valid. */
export type ServerConfig = Static<typeof ServerConfigSchema>;
