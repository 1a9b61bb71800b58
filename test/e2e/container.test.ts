/** cli/Dockerfile names what there is: no engine builds it here, so each of its lines is held against the package. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { freePort, tempDir, waitFor } from '../helper.ts';
import { runNode } from './program.ts';

const run = promisify(execFile);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

test('the image is built of what the package has, and starts a server that its health check finds', async () => {
  const text = await readFile(join(packageRoot, 'cli', 'Dockerfile'), 'utf8');
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  const of = (word: string): string[] =>
    lines.filter(each => each.startsWith(`${word} `)).map(each => each.slice(word.length + 1));
  const manifest = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));

  // What it runs are scripts of the package; what it copies is what packing makes, and is itself in there.
  for (const [, script] of of('RUN')
    .join(' && ')
    .matchAll(/npm run (\S+)/g))
    expect(manifest.scripts).toHaveProperty(String(script));
  const { stdout } = await run(npm, ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: packageRoot });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  const copied = of('COPY')
    .map(each => /\/build\/(\S+)\.tgz/.exec(each)?.[1])
    .find(Boolean);
  expect(filename.replace(/\.tgz$/, '')).toMatch(new RegExp(`^${String(copied).replace('*', '.*')}$`));
  expect(files.map(each => each.path)).toContain('cli/Dockerfile');
  const nodes = of('FROM').map(each => /^node:(\d+)-/.exec(each)?.[1]);
  for (const node of nodes) expect(manifest.engines.node).toContain(`^${node}.`);
  expect(of('USER')).toEqual(['node']);

  // As it starts, but for the port, by a home that nobody can write to.
  const [entry, command] = [of('ENTRYPOINT'), of('CMD')].map(([each = '[]']) => JSON.parse(each) as string[]);
  const program = manifest.bin[String(entry?.[0])];
  expect(files.map(each => each.path)).toContain(program);
  const port = String(await freePort());
  const [published] = of('EXPOSE');
  const moved = (each: string): string => each.replaceAll(String(published), port);
  expect(command).toContain(published);
  const home = await tempDir();
  const server = runNode(join(packageRoot, program), (command ?? []).map(moved), {
    ...{ HOME: join(home, 'none', 'of'), XDG_STATE_HOME: join(packageRoot, 'package.json', 'state') },
  });
  await waitFor(() => server.stderr().includes('listening on'), 'the server', 20_000);
  const check = JSON.parse(/^CMD (.*)$/.exec(of('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]') as string[];
  const health = () =>
    run(process.execPath, check.slice(1).map(moved)).then(
      () => 0,
      ({ code }) => code as number,
    );
  expect([check[0], await health()]).toEqual(['node', 0]);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(await health()).toBe(1);
});
