import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot, packageVersion } from '../../kernel/index.ts';
import { freePort, tempDir, waitFor } from '../helper.ts';
import { listening, program, type Run, runNode, runProgram } from './program.ts';

const wait = { timeout: 15_000 };

interface Told {
  kind: string;
  name: string;
  pid: number;
  url: string;
  condition: string;
}

const done = async (run: Run) => ({ code: await run.ended, stdout: run.stdout(), stderr: run.stderr() });
const svc = (...args: string[]) => done(runProgram(args));
const svcCli = (...args: string[]) => done(runNode(join(packageRoot, 'dist/svc-cli.js'), args));
const json = async (...args: string[]) => JSON.parse((await svc(...args, '--json')).stdout);
const status = async (...which: string[]) => (await json('status', ...which)).running as Told[];

test('an operator sees, restarts and stops what runs, by names that status shows', async () => {
  const port = await freePort();
  const [maya, plain] = [
    runProgram(['serve', '--json', '--dcc-type', 'maya', '--port', String(port)]),
    runProgram(['serve', '--json']),
  ];
  const gateway = runProgram(['gateway', '--json', '--port', '0', '--name', 'studio']);
  const [{ mcp_url, pid }, other] = [await listening(maya), await listening(plain)];
  await listening(gateway);

  await expect.poll(() => status().then(all => all.length)).toBe(3);
  const seen = await status();
  expect(seen.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
    'gateway studio',
    'server maya',
    'server server',
  ]);
  expect(seen).toContainEqual(
    expect.objectContaining({ name: 'maya', pid, url: mcp_url, version: packageVersion, condition: 'ok' }),
  );
  expect((await svc('status', 'maya', String(other.port))).stdout).toMatch(/^NAME .*\n(.*\n)?maya .* ok .*/);
  expect(await status('studio')).toHaveLength(1);

  // The same arguments, another process, and whoever waits for the old one sees it end.
  const restarted = await json('restart', 'maya');
  expect(restarted).toMatchObject({ total: 1, ended: [{ name: 'maya', pid, outcome: 'restarted' }] });
  expect(await maya.ended).toBe(0);
  const [again] = await status('maya');
  expect(again).toMatchObject({ pid: restarted.ended[0].new_pid, url: mcp_url, condition: 'ok' });

  const stopped = await svc('stop');
  expect(stopped.code).toBe(0);
  expect(stopped.stdout.trim().split('\n')).toHaveLength(3);
  expect([await plain.ended, await gateway.ended]).toEqual([0, 0]);
  expect(await status()).toEqual([]);
  expect((await svc('stop')).stdout).toBe('Nothing runs.\n');
});

test('a relay and its tunnels are seen as they stand, restarted and stopped; a tunnel without its relay says so', async () => {
  const [port, at] = [await freePort(), String(await freePort())];
  const target = `http://127.0.0.1:${port}`;
  const token = join(await tempDir(), 'token');
  const issued = await svc('relay', 'token', '--subject', 'studio', '--dcc', 'maya');
  await writeFile(token, issued.stdout, { mode: 0o600 });
  const server = ['serve', '--json', '--no-auto-gateway', '--dcc-type', 'maya', '--port', String(port)];
  await listening(runProgram(server));
  runProgram(['tunnel', '--relay', `http://127.0.0.1:${at}`, '--token-file', token, '--target', target]);
  await expect.poll(() => status('tunnel').then(([each]) => each?.condition), wait).toBe('relay unavailable');
  const waiting = await svc('status');
  expect(waiting.stdout).toMatch(/tunnel is not connected, and tries again: .*cannot be reached/);

  const relay = runProgram(['relay', '--port', at, '--json']);
  await listening(relay);
  await expect.poll(() => status('relay').then(([each]) => each?.condition), wait).toBe('ok, 1 tunnel (1 maya)');
  const [tunnel] = await status('tunnel');
  expect(tunnel).toMatchObject({ kind: 'tunnel', condition: 'ok', url: target });
  const shown = (await svc('status', 'tunnel')).stdout;
  expect(shown).toMatch(
    new RegExp(`^NAME .*\\ntunnel +tunnel .* ok +http://127.0.0.1:${at}/tunnel/[0-9a-f]{32}/mcp\\n$`),
  );
  // The port is the server's, which the tunnel leads to.
  expect((await status(String(port))).map(each => each.kind)).toEqual(['server']);

  // The relay begins anew with its own key and port, and its tunnel comes back to it.
  const restarted = await json('restart', 'relay');
  expect(restarted.ended).toMatchObject([{ kind: 'relay', outcome: 'restarted' }]);
  await expect.poll(() => status('relay').then(([each]) => each?.condition), wait).toBe('ok, 1 tunnel (1 maya)');
  expect((await json('restart', 'tunnel')).ended).toMatchObject([{ kind: 'tunnel', outcome: 'restarted' }]);
  await expect.poll(() => status('tunnel').then(([each]) => each?.condition), wait).toBe('ok');
  expect((await svc('logs', 'relay')).stdout).toContain('a tunnel is open');

  const stopped = await json('stop');
  expect(stopped.ended.map(({ kind, outcome }: Told & { outcome: string }) => `${kind} ${outcome}`)).toEqual([
    'server stopped',
    'tunnel stopped',
    'relay stopped',
  ]);
  expect(await status()).toEqual([]);
});

test('a program that was killed is not shown; one that does not answer is, and is ended by force alone', async () => {
  const [dead, held] = [runProgram(['serve', '--json']), runProgram(['serve', '--json', '--dcc-type', 'held'])];
  await Promise.all([listening(dead), listening(held)]);
  await expect.poll(() => status().then(all => all.length)).toBe(2);
  dead.child.kill('SIGKILL');
  await once(dead.child, 'close');
  held.child.kill('SIGSTOP');
  const [left, ...rest] = await status();
  expect([left?.name, left?.condition, rest]).toEqual(['held', 'does not answer', []]);
  const refused = await svc('stop', '--timeout', '1');
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('--force')]);
  expect((await svc('stop', 'held', '--force', '--timeout', '0')).stdout).toContain('killed');
  expect(await held.ended).toBe('SIGKILL');
});

test.skipIf(process.platform === 'win32')(
  'logs are read by name, SIGHUP ends nobody, a full disk under stdout is a sentence',
  async () => {
    const server = runProgram(['serve', '--json', '--dcc-type', 'logged']);
    await listening(server);
    server.child.kill('SIGHUP');
    const [seen] = await status('logged');
    const followed = runProgram(['logs', '-f', 'logged', '--json']);
    await waitFor(() => followed.stdout().includes('listening'), 'the log');
    followed.child.kill('SIGINT');
    expect(await followed.ended).toBe(0);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    const lines = (await svc('logs', 'logged', '--json')).stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines[0]).toMatchObject({ program: 'logged', pid: seen?.pid, msg: expect.stringContaining('listening') });
    expect((await svc('logs', 'logged', '-n', '1')).stdout).toMatch(/^\[.*\] INFO/);

    const full = spawnSync('/bin/sh', ['-c', `"${process.execPath}" "${program}" version > /dev/full`], {
      encoding: 'utf8',
    });
    expect([full.status, full.stderr]).toEqual([
      1,
      expect.stringMatching(/^error \[GENERAL_ERROR\]: [^\n]+ENOSPC[^\n]+\n$/),
    ]);
  },
);

test('completion knows every command and flag', async () => {
  const scripts = await Promise.all(['bash', 'zsh', 'fish'].map(shell => svc('completion', shell)));
  for (const { code, stdout } of scripts) {
    expect(code).toBe(0);
    for (const word of ['restart', 'validate', 'log-level', 'warn']) expect(stdout).toContain(word);
  }
  // What a shell offers for the last word; of another shell than bash where there is one.
  const client = await Promise.all(['bash', 'zsh', 'fish'].map(shell => svcCli('completion', shell)));
  const offers = (line: string): string[] => {
    const words = line.split(' ').map(each => (each === '' ? "''" : each));
    const set = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _${words[0]?.replace('-', '_')}`;
    const script = (line.startsWith('svc-cli') ? client : scripts)[0]?.stdout;
    const { stdout } = spawnSync('bash', ['-c', `${script}\n${set}; echo "\${COMPREPLY[@]}"`], { encoding: 'utf8' });
    return stdout.trim().split(' ').filter(Boolean);
  };
  expect(offers('svc-server skills va')).toEqual(['validate']);
  expect(offers('svc-cli jobs ')).toEqual(['cancel', 'list', 'show']);
  expect(offers('svc-cli jobs --st')).toEqual(['--status']);
  expect(offers('svc-cli stats --range ')).toEqual(['1h', '24h', '7d', 'all']);
  expect(offers('svc-cli search frames --li')).toEqual(['--limit']);
  expect(offers('svc-cli completion z')).toEqual(['zsh']);
  expect(offers('svc-cli help desc')).toEqual(['describe']);
  const zsh = spawnSync('zsh', ['-n'], { input: client[1]?.stdout ?? '', encoding: 'utf8' });
  expect(zsh.error ? '' : zsh.stderr).toBe('');
  const asked = `${client[2]?.stdout}\ncomplete -C 'svc-cli jobs sh'; complete -C 'svc-cli stats --skil'`;
  const fish = spawnSync('fish', ['--no-config', '-c', asked], { encoding: 'utf8' });
  if (!fish.error) expect(fish.stdout).toMatch(/^show\tShow a background job\n--skill\t/);
});

test('a word that names nothing gets one line with the command that was probably meant, as it is typed', async () => {
  const words = [['statsu'], ['skills', 'lst'], ['skills', 'valid'], ['help', 'restrat'], ['stop', 'maya']];
  const answers = await Promise.all(words.map(each => svc(...each)));
  expect(answers.map(each => each.code)).toEqual([2, 2, 2, 2, 2]);
  const texts = answers.map(each => each.stderr.trim());
  expect(texts.map(each => /Did you mean "(.*)"/.exec(each)?.[1])).toEqual([
    ...['status', 'skills list', 'skills validate', 'restart'],
    undefined,
  ]);
  expect(texts.at(-1)).toContain('nothing runs');
  for (const text of texts) expect(text).not.toMatch(/\n|skills:/);
});
