/** Every command and the feedback tool, as built, where the gateway and its instance ask for tokens. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { tempDir, waitFor } from '../helper.ts';
import { authored, type Json } from '../plugins/feedback/support.ts';
import { writeSkill } from '../spec/skill-package.ts';
import { createWorld } from './gateway-program.ts';
import { listening, runNode, runProgram } from './program.ts';

const built = (name: string): string => join(packageRoot, 'dist', name);
const [artist, wrong] = ['artist-7f3a9c0e51b2', 'wrong-5b2d8e6f1a90'];

/** A guarded gateway with a guarded instance. */
async function studio() {
  const world = await createWorld();
  await writeSkill(world.file('skills'), 'kit', { dcc: 'maya', tools: [{ name: 'echo', description: 'Echoes.' }] });
  const env = {
    SVC_REGISTRY_DIR: world.directory,
    SVC_GATEWAY_PORT: String(world.port),
    SVC_AUTH_TOKENS: JSON.stringify([{ label: 'artists', token: artist, scopes: ['call'] }]),
  };
  const gateway = runProgram(['gateway', '--gateway-persist', '--log-level', 'debug'], env);
  await waitFor(world.health, 'the gateway', 20_000);
  const options = [
    '--dcc-type',
    'maya',
    '--skill-paths',
    world.file('skills'),
    '--no-bundled-skills',
    '--feedback-tool',
  ];
  const server = runProgram(['serve', '--json', '--no-watch-skills', ...options], env);
  const { mcp_url } = await listening(server);
  const program = async (name: string, args: readonly string[], given: Record<string, string> = {}) => {
    const { SVC_AUTH_TOKENS: _, ...own } = env;
    const run = runNode(built(name), args, { ...own, ...given }, world.directory);
    run.child.stdin?.end();
    const code = await run.ended;
    const failure = run.stderr().startsWith('{') ? (JSON.parse(run.stderr()) as { error: Json }).error : undefined;
    return { code, text: run.stdout(), notes: run.stderr(), failure };
  };
  const cli = (args: string, given?: Record<string, string>) => program('svc-cli.js', args.split(' '), given);
  return { world, gateway, server, mcp_url, cli, program, url: `http://127.0.0.1:${world.port}` };
}

test('its own user needs no token, everybody else a good one; a refusal says what to do, and nothing shows a token', async () => {
  const { world, gateway, server, mcp_url, cli, program, url } = await studio();
  await waitFor(async () => (await cli('search echo')).text.includes('.echo'), 'the tools are known', 20_000);
  const said: string[] = [];
  const ended = async (...runs: ReturnType<typeof cli>[]) => {
    const all = await Promise.all(runs);
    said.push(...all.map(each => each.text + each.notes));
    return all;
  };

  // The key of the registry directory is good for everything.
  const own = await ended(
    ...['instances', 'stats', 'feedback list', 'load-skill kit', `instances --gateway localhost:${world.port}`].map(
      each => cli(each),
    ),
    program('svc-server.js', ['instances', '--json']),
    program('svc-server.js', ['call', 'list_skills', '--url', mcp_url]),
    program('svc-server.js', ['call', 'list_skills', '--server', 'maya']),
    cli('doctor'),
  );
  expect(own.map(each => [each.code, each.failure])).toEqual(own.map(() => [0, undefined]));
  expect(own[0]?.text).toContain('maya');
  expect(own[5]?.text).toContain('maya');
  expect((await cli('call echo --json')).code).toBe(0);

  // An agent reports through the gateway, from an instance that has no token of its own.
  const slug = JSON.parse((await cli('search dcc_feedback__report --json')).text).hits[0].tool_slug as string;
  const [reported] = await ended(program('svc-cli.js', ['call', slug, '--arguments', JSON.stringify(authored)]));
  expect(reported).toMatchObject({ code: 0, text: expect.stringContaining('"success":true') });
  expect(JSON.parse((await cli('feedback list')).text)).toMatchObject({ total: 1, deduplicated: 1 });

  // Somebody else, who knows the address alone.
  const home = await tempDir();
  const other = { SVC_REGISTRY_DIR: home, XDG_STATE_HOME: join(home, 'state'), SVC_GATEWAY_PORT: '0' };
  const at = (args: string, given: Record<string, string> = {}) =>
    cli(`${args} --gateway ${url}`, { ...other, ...given });
  await writeFile(join(home, 'token'), `${artist}\n`, { mode: 0o600 });
  const file = { SVC_CALL_TOKEN_FILE: join(home, 'token') };
  const how = 'set SVC_CALL_TOKEN, or SVC_CALL_TOKEN_FILE to the file that holds it';
  const strangers = await ended(
    ...['instances', 'call echo', 'feedback list', 'traffic replay none.jsonl'].slice(0, 3).map(each => at(each)),
    at('instances', { SVC_CALL_TOKEN: wrong }),
    program('svc-server.js', ['call', 'echo', '--raw', '--url', mcp_url], other),
  );
  for (const { code, text, failure } of strangers) {
    expect([code, text, failure]).toMatchObject([6, '', { code: 'PERMISSION_DENIED', retryable: false }]);
    expect(failure?.message).toContain(how);
  }
  const [one, two, called, report, listed, missing, empty, odd] = await ended(
    at('instances', { SVC_CALL_TOKEN: artist }),
    at('instances', file),
    at('call echo', file),
    program('svc-cli.js', ['feedback', '--tool-name', 'echo', '--intent', 'x', '--blocker', 'y', '--gateway', url], {
      ...other,
      ...file,
    }),
    at('feedback list', file),
    at('instances', { SVC_CALL_TOKEN_FILE: join(home, 'none') }),
    at('instances', { SVC_CALL_TOKEN_FILE: home }),
    at('instances', { SVC_CALL_TOKEN: 'two words' }),
  );
  expect([one, two, called, report].map(each => [each?.code, each?.failure])).toEqual(Array(4).fill([0, undefined]));
  expect(listed).toMatchObject({
    ...{ code: 6, text: '' },
    failure: {
      message: expect.stringMatching(/"artists" is not good for this: it takes the scope "admin".*SVC_CALL_TOKEN/),
    },
  });
  expect(missing).toMatchObject({ code: 2, failure: { message: expect.stringContaining('does not exist') } });
  expect(empty).toMatchObject({ code: 6, failure: { message: expect.stringContaining('cannot be read') } });
  expect(odd).toMatchObject({ code: 2, failure: { message: expect.stringContaining('one word') } });
  expect(odd?.notes).not.toContain('two words');

  const [doctor] = await ended(at('doctor --json'));
  expect(doctor?.code).toBe(1);
  expect(JSON.parse(doctor?.text ?? '').checks).toContainEqual({
    ...{ check: 'access', level: 'error', message: expect.stringContaining(how), next: expect.any(String) },
  });

  const [name = ''] = (await readdir(join(world.directory, 'keys'))).filter(each =>
    each.startsWith(String(world.port)),
  );
  const key = (await readFile(join(world.directory, 'keys', name), 'utf8')).trim();
  const everything = [...said, gateway.stdout(), gateway.stderr(), server.stdout(), server.stderr()].join('\n');
  for (const secret of [artist, wrong, key]) expect(everything).not.toContain(secret);
}, 60_000);

test('the key goes to servers of this user alone, and to no name that somebody else may have taken', async () => {
  const seen: (string | undefined)[] = [];
  const http = createServer(({ headers }, answer) => {
    seen.push(headers.authorization);
    answer.writeHead(401).end('{"kind":"unauthorized","message":"no"}');
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  const { port } = http.address() as AddressInfo;
  const home = await tempDir();
  await mkdir(join(home, 'keys'));
  await writeFile(join(home, 'keys', `${port}.key`), 'k'.repeat(43), { mode: 0o600 });
  const run = async (address: string, directory: string) => {
    const env = { SVC_REGISTRY_DIR: directory, XDG_STATE_HOME: join(home, 'state') };
    return runNode(built('svc-cli.js'), ['instances', '--gateway', address], env).ended;
  };
  const none = await tempDir();
  expect([
    await run(`127.0.0.1:${port}`, home),
    await run(`localhost:${port}`, home),
    await run(`127.0.0.1:${port}`, none),
  ]).toEqual([6, 6, 6]);
  expect(seen).toEqual([`Bearer ${'k'.repeat(43)}`, undefined, undefined]);
});
