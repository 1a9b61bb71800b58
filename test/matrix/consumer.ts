/** An empty folder with the packed server installed under one Node, and processes of that Node in it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/index.ts';
import { environment, npm, ownRuntime, type Runtime, warnings } from './npm.ts';

export interface Run {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code, or the signal that ended the process. */
  ended: Promise<number | string>;
}

export interface Consumer {
  folder: string;
  runtime: Runtime;
  /** What npm complained about while installing. */
  warnings: string[];
  /** Starts `node <args>` in the folder; every warning of Node is asked for, pending deprecations too. */
  start(args: readonly string[]): Run;
  /** Installs once more elsewhere, as where install scripts are blocked. */
  withoutScripts(): Promise<Consumer>;
  /** Ends what still runs. */
  close(): Promise<void>;
}

/** The program inside the installed package. */
export const program = join('node_modules', 'svc', 'dist', 'svc-server.js');

/** Packs what `npm run build` made; resolves with the tarball's path. */
export async function pack(folder: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await npm(ownRuntime, args, packageRoot);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
}

/** Installs `tarball` under `runtime` into `folder`, with more `flags` for npm. */
export async function install(
  tarball: string,
  runtime: Runtime,
  folder: string,
  flags: readonly string[] = [],
): Promise<Consumer> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}');
  for (const name of ['embed.mjs', 'consumer.ts']) {
    await copyFile(join(import.meta.dirname, 'fixtures', name), join(folder, name));
  }
  const example = join(packageRoot, 'skills', 'examples', 'scene-inspector');
  await cp(example, join(folder, 'examples', 'scene-inspector'), { recursive: true });
  const { dependencies } = JSON.parse(await readFile(join(example, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const needed = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
  const major = runtime.version.split('.')[0];
  const args = [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    ...flags,
    tarball,
    ...needed,
    `@types/node@${major}`,
  ];
  const { stderr } = await npm(runtime, args, folder);
  const running = new Set<Run>();
  return {
    folder,
    runtime,
    warnings: warnings(stderr),
    start(args) {
      const flags = ['--trace-warnings', '--pending-deprecation'];
      const run = follow(spawn(runtime.node, [...flags, ...args], { cwd: folder, env: environment(runtime) }));
      running.add(run);
      void run.ended.then(() => running.delete(run));
      return run;
    },
    withoutScripts: () => install(tarball, runtime, `${folder}-without-scripts`, ['--ignore-scripts']),
    async close() {
      for (const run of running) run.child.kill('SIGKILL');
      await Promise.all([...running].map(run => run.ended));
    },
  };
}

function follow(child: ChildProcess): Run {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', chunk => {
      texts[name] += chunk;
    });
  }
  const ended = new Promise<number | string>(resolve => {
    child.on('error', error => resolve(error.message));
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  return { child, stdout: () => texts.stdout, stderr: () => texts.stderr, ended };
}
