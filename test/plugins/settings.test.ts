import { delimiter } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentName, parseOption, resolveConfig as resolve } from '../../kernel/index.ts';
import { type ServerOptions, serverSettings } from '../../plugins/index.ts';

const settings = await serverSettings();
const configProperties = settings.properties;
const options = Object.keys(configProperties);
const resolveConfig = (given?: object, env?: Record<string, string>, file?: object) =>
  resolve(given, env, file, settings);

test('server configuration: every property has a default and a description, and an empty input gives the defaults', () => {
  const config = resolveConfig() as Record<string, unknown>;
  for (const [name, property] of Object.entries(configProperties)) {
    expect(property.description, name).toBeTypeOf('string');
    expect(property, name).toHaveProperty('default');
    expect(config[name], name).toEqual(property.default);
  }
  expect(Object.keys(config).sort()).toEqual([...options].sort());
});

test('server configuration: the defaults of the specification', () => {
  expect(resolveConfig()).toMatchObject({
    port: 0,
    host: '127.0.0.1',
    endpoint_path: '/mcp',
    server_name: 'svc',
    max_sessions: 100,
    request_timeout_ms: 30000,
    enable_cors: false,
    session_ttl_secs: 3600,
    lazy_actions: false,
    gateway_port: 9765,
    admin_enabled: true,
    admin_path: '/admin',
    registry_dir: null,
    stale_timeout_secs: 30,
    heartbeat_secs: 5,
    spawn_mode: 'dedicated',
    self_probe_timeout_ms: 200,
    bare_tool_names: true,
    enable_tool_cache: true,
    enable_resources: true,
    enable_artefact_resources: false,
    enable_job_notifications: true,
    job_storage_path: null,
    job_recovery: 'drop',
    job_retention_hours: null,
  });
});

/** A valid value other than the default, as text and as value. */
function sample(option: string): [text: string, value: unknown] {
  const property = configProperties[option] as {
    type?: string;
    default?: unknown;
    enum?: string[];
    anyOf?: { enum?: string[]; type?: string; pattern?: string }[];
  };
  const choices = property.enum ?? property.anyOf?.flatMap(each => each.enum ?? []) ?? [];
  const choice = choices.find(each => each !== property.default);
  if (choice !== undefined) return [choice, choice];
  if (property.type === 'boolean') return [String(!property.default), !property.default];
  const members = (property as { items?: { enum?: string[] } }).items?.enum;
  if (members) return [members.join(','), members];
  if (property.type === 'array' && (property as { items?: { type?: string } }).items?.type === 'object') {
    const value = [{ token: 'a-token-of-some-length', label: 'studio' }];
    return [JSON.stringify(value), value];
  }
  if (property.type === 'array') {
    const separator = option.endsWith('_paths') ? delimiter : ',';
    return [`/a${separator}/b`, ['/a', '/b']];
  }
  if (property.type === 'object') return ['{"s":{"k":1}}', { s: { k: 1 } }];
  const types = [property.type, ...(property.anyOf ?? []).map(each => each.type)];
  if (types.includes('integer') || types.includes('number')) {
    const { minimum = 0, maximum = 2048 } = property as { minimum?: number; maximum?: number };
    const value = Math.max(minimum, Math.min(2048, maximum));
    return [String(value), value];
  }
  const address = 'http://127.0.0.1:4318';
  if (property.anyOf?.some(each => each.pattern?.startsWith('^https?'))) return [address, address];
  const uuid = '01234567-89ab-4cde-8f01-23456789abcd';
  if (option === 'instance_id') return [uuid, uuid];
  return option === 'dcc_type' ? ['x', 'x'] : ['/x', '/x'];
}

describe.each(options)('option %s', option => {
  const [text, value] = sample(option);

  test('is read from its environment variable', () => {
    expect(resolveConfig({}, { [environmentName(option)]: text })).toMatchObject({ [option]: value });
  });

  test('is taken from the file, the environment and the options, the later winning', () => {
    const fallback = (configProperties[option] as { default: unknown }).default;
    expect(resolveConfig({}, {}, { [option]: value } as ServerOptions)).toMatchObject({ [option]: value });
    const env = { [environmentName(option)]: text };
    const file = { [option]: fallback } as ServerOptions;
    expect(resolveConfig({}, env, file)).toMatchObject({ [option]: value });
    expect(resolveConfig({ [option]: fallback } as ServerOptions, env, file)).toMatchObject({ [option]: fallback });
    expect(resolveConfig({ [option]: undefined } as ServerOptions, env, file)).toMatchObject({ [option]: value });
  });

  test('refuses a value of another type and is named', () => {
    const wrong = { [option]: Symbol.iterator in Object(value) && typeof value !== 'string' ? 5 : [[]] };
    expect(() => resolveConfig(wrong as ServerOptions)).toThrow(
      expect.objectContaining({ code: 'SVC_KERNEL_CONFIG_INVALID', message: expect.stringContaining(`"${option}"`) }),
    );
  });
});

test('server configuration: bare_tool_names accepts only booleans', () => {
  for (const value of ['true', 1, 0, null, 'false', {}, []]) {
    expect(() => resolveConfig({ bare_tool_names: value } as never)).toThrow('"bare_tool_names" must be boolean');
  }
});

test('server configuration: unknown keys are refused by name, with the nearest known one', () => {
  expect(() => resolveConfig({ prot: 1, gatewayPort: 2 } as never)).toThrow(
    /options\): "prot" is not a known field; "gatewayPort" is not a known field \(did you mean port, gateway_port\?\)/,
  );
  expect(() => resolveConfig({}, {}, JSON.parse('{"__proto__":{"port":1}}'))).toThrow(
    '"__proto__" is not a known field',
  );
});

test.each([
  [{ SVC_PORT: 'abc' }, 'environment SVC_PORT): "port" must be integer'],
  [{ SVC_PORT: '1.5' }, '"port" must be integer'],
  [{ SVC_PORT: '65536' }, '"port" must be <= 65535'],
  [{ SVC_PORT: '-1' }, '"port" must be >= 0'],
  [{ SVC_ENABLE_CORS: 'maybe' }, '"enable_cors" must be boolean'],
  [{ SVC_ENABLE_CORS: 'constructor' }, '"enable_cors" must be boolean'],
  [{ SVC_SKILL_CONFIG: '{oops' }, '"skill_config" must be object'],
  [{ SVC_ENDPOINT_PATH: 'mcp' }, '"endpoint_path" must match pattern'],
])('server configuration: a bad variable %j is named with its problem', (env, message) => {
  expect(() => resolveConfig({}, env)).toThrow(message);
});

test('server configuration: other variables are left alone, an empty one means none where none is allowed', () => {
  expect(resolveConfig({}, { PORT: '1', SVC_OTHER: 'x', SVC_SCENE: '', SVC_JOB_RETENTION_HOURS: '' })).toMatchObject({
    port: 0,
    scene: null,
    job_retention_hours: null,
  });
  expect(parseOption('enable_cors', 'TRUE', settings)).toBe(true);
  expect(parseOption('skill_paths', '["/a,b"]', settings)).toEqual(['/a,b']);
  expect(parseOption('allowed_hosts', ' a , ,b ', settings)).toEqual(['a', 'b']);
});

test('server configuration: the result is deeply frozen, the caller’s objects are not', () => {
  const given = { skill_paths: ['/a'], skill_config: { s: { list: [1] } } };
  const config = resolveConfig(given);
  expect(() => (config.skill_paths as string[]).push('/b')).toThrow(TypeError);
  expect(Object.isFrozen(config.skill_config.s?.list)).toBe(true);
  given.skill_paths.push('/b');
  given.skill_config.s.list.push(2);
  expect(config).toMatchObject({ skill_paths: ['/a'], skill_config: { s: { list: [1] } } });
});
