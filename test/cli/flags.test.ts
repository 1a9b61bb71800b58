import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as Parser from '@oclif/core/parser';
import { expect, onTestFinished, test, vi } from 'vitest';
import { commandConfig, configFlags, flagName, flagOptions, pluginFlag } from '../../cli/flags.ts';
import { gatewayFlags, gatewayShort } from '../../cli/gateway-flags.ts';
import { lastWins } from '../../cli/last-wins.ts';
import { withDefaultCommand } from '../../cli/programs.ts';
import { gatewaySettings, serverSettings } from '../../plugins/index.ts';
import { tempDir } from '../helper.ts';

const settings = await serverSettings();
const flags = { ...pluginFlag, ...configFlags(settings) };

async function options(...argv: string[]) {
  const parsed = await Parser.parse(lastWins(argv, flags), { flags, strict: true });
  return flagOptions(parsed.flags as Record<string, unknown>, settings);
}

test('flags: every option of the configuration but a secret has one, in kebab-case, with its default and its variable', () => {
  const secret = (option: string): boolean => settings.properties[option]?.isSecret === true;
  const options = Object.keys(settings.properties)
    .filter(option => !secret(option))
    .map(option => (option === 'plugins' ? 'plugin' : flagName(option)));
  expect(Object.keys(settings.properties).filter(secret)).toContain('remote_gateway_token');
  expect(Object.keys(flags).sort()).toEqual(options.sort());
  expect(flags['max-sessions']?.description).toContain('(default 100; environment SVC_MAX_SESSIONS)');
});

test('flags: each kind of option is read as its type', async () => {
  expect(await options()).toEqual({});
  expect(
    await options('--port', '1', '--no-watch-skills', '--enable-cors', '--spawn-mode', 'dedicated', '--scene', 'a b'),
  ).toEqual({ port: 1, watch_skills: false, enable_cors: true, spawn_mode: 'dedicated', scene: 'a b' });
  expect(await options('--skill-path', '/a', '--skill-paths', '/b', '--allowed-host', 'x')).toEqual({
    skill_paths: ['/a', '/b'],
    allowed_hosts: ['x'],
  });
  expect(await options('--skill-config', '{"a":{"b":1}}', '--job-retention-hours', '5')).toEqual({
    skill_config: { a: { b: 1 } },
    job_retention_hours: 5,
  });
});

test('flags: the last of a repeated single-valued flag wins', async () => {
  expect(await options('--port', '8765', '--host=a', '--port=0', '--host', 'b')).toEqual({ port: 0, host: 'b' });
  expect(lastWins(['--port', '1', '--', '--port', '2'], flags)).toEqual(['--port', '1', '--', '--port', '2']);
  expect(lastWins(['--constructor', '--port'], flags)).toEqual(['--constructor', '--port']);
});

test('flags: a value outside the list, a missing value and an unknown flag are refused', async () => {
  await expect(options('--spawn-mode', 'x')).rejects.toThrow(
    /Expected --spawn-mode=x to be one of: ambient, dedicated/,
  );
  await expect(options('--port')).rejects.toThrow(/--port expects a value/);
  await expect(options('--prot', '1')).rejects.toThrow(/Nonexistent flag/);
});

test('flags: they win over the environment, the environment over the file, the file over the command’s defaults', async () => {
  const file = join(await tempDir(), 'svc.yaml');
  await writeFile(file, 'port: 1\nmax_sessions: 1\nhost: "0.0.0.0"\n');
  const config = await commandConfig(
    { config: file, port: '3' },
    { SVC_PORT: '2', SVC_MAX_SESSIONS: '2' },
    settings,
    given => ({
      port: 9,
      max_sessions: 9,
      host: '9',
      spawn_mode: given('host') && !given('server_name') ? 'ambient' : 'dedicated',
    }),
  );
  expect(config).toMatchObject({ port: 3, max_sessions: 2, host: '0.0.0.0', spawn_mode: 'ambient' });
});

test('flags: a bad value is refused by the schema, in terms of the flag', async () => {
  await expect(commandConfig({ port: 'abc' }, {}, settings)).rejects.toMatchObject({
    code: 'SVC_CLI_FLAG_INVALID',
    message: 'Invalid value for --port: "port" must be integer',
  });
  await expect(commandConfig({ port: '70000' }, {}, settings)).rejects.toThrow('--port: "port" must be <= 65535');
  await expect(commandConfig({}, { SVC_PORT: 'x' }, settings)).rejects.toThrow('environment SVC_PORT');
});

test.each(['[1]', 'null', '"text"', '5'])('flags: a config file that holds %s is refused', async text => {
  const file = join(await tempDir(), 'svc.json');
  await writeFile(file, text);
  await expect(commandConfig({ config: file }, {}, settings)).rejects.toThrow('the file must hold an object');
});

test('the default command is serve; help and version stay what they are', () => {
  expect(withDefaultCommand([])).toEqual(['serve']);
  expect(withDefaultCommand(['--port', '0'])).toEqual(['serve', '--port', '0']);
  expect(withDefaultCommand(['--json', '--help'])).toEqual(['serve', '--json', '--help']);
  for (const argv of [['--help'], ['-h'], ['--version'], ['-V'], ['skills', 'list'], ['serve']]) {
    expect(withDefaultCommand(argv)).toEqual(argv);
  }
});

test('flags of the gateway: each setting of its plugins has one, the usual ones a short and a long name', async () => {
  const ofGateway = await gatewaySettings();
  const own = gatewayFlags();
  const config = async (...argv: string[]) => {
    const parsed = await Parser.parse(lastWins(argv, own), { flags: own, strict: true });
    return commandConfig(parsed.flags as Record<string, unknown>, {}, ofGateway, undefined, gatewayShort);
  };
  const taken = Object.entries(own).flatMap(([name, flag]) => [name, ...(flag.aliases ?? [])]);
  const kernelOnly = ['host', 'port', 'endpoint_path', 'max_request_body_bytes', 'spawn_mode', 'self_probe_timeout_ms'];
  const unsaid = Object.keys(ofGateway.properties).filter(each => !taken.includes(flagName(each)));
  // A token on a command line is everybody's.
  expect(unsaid.sort()).toEqual(
    [...kernelOnly.filter(each => !['host', 'port'].includes(each)), 'auth_tokens', 'plugins'].sort(),
  );
  expect(
    await config(
      ...['--host', '0.0.0.0', '--gateway-port', '1', '--port', '2', '--no-admin', '--discover-mdns'],
      ...['--relay-source', 'http://a=http://b', '--relay-source', 'http://c=http://d', '--auth-tokens-file', '/t'],
      ...[
        '--insecure-bind',
        '--allowed-host',
        'gw.example',
        '--oauth-issuer',
        'https://a',
        '--rate-limit-per-minute',
        '9',
      ],
    ),
  ).toMatchObject({
    ...{ gateway_host: '0.0.0.0', gateway_port: 2, admin_enabled: false, gateway_discover_mdns: true },
    gateway_relay_sources: ['http://a=http://b', 'http://c=http://d'],
    ...{ auth_tokens_file: '/t', insecure_bind: true, allowed_hosts: ['gw.example'], oauth_issuer: 'https://a' },
    ...{ rate_limit_per_minute: 9, host: '127.0.0.1', port: 0 },
  });
  for (const typed of ['--port', '--gateway-port']) await expect(config(typed, 'x')).rejects.toThrow(/ --port: /);
  await expect(config('--auth-token', 'x')).rejects.toThrow(/Nonexistent flag/);
});

test("flags: a gateway's file that names the address of a server is told so, unless it names its own, too", async () => {
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => told.mockRestore());
  const config = join(await tempDir(), 'gateway.yaml');
  const read = async (text: string) => {
    await writeFile(config, text);
    return commandConfig({ config }, {}, await gatewaySettings(), undefined, gatewayShort);
  };
  await read('port: 7000\ngateway_port: 7001\n');
  expect(told).not.toHaveBeenCalled();
  expect(await read('port: 7000\n')).toMatchObject({ gateway_port: 9765 });
  expect(told.mock.calls).toEqual([
    [expect.stringMatching(/^warning: "port" in .*gateway.yaml .* write "gateway_port"\n$/)],
  ]);
});
