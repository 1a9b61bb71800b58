/** Makes an environment and installs requirements into it: with uv where it is, else with the interpreter's own venv and pip. */
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Environment, findProgram } from '../../../kernel/index.ts';
import { runProgram } from '../processes/run-program.ts';
import type { Interpreter } from './interpreters.ts';
import type { PythonNeed } from './needs.ts';

export interface Installation {
  interpreter: Interpreter;
  need: PythonNeed;
  /** Of the package: what its requirements refer to lies there. */
  directory: string;
  /** Where the environment is made. */
  folder: string;
  env: Environment;
  timeoutMs: number;
  signal: AbortSignal;
}

type Run = (command: string, ...args: readonly string[]) => Promise<unknown>;

const windows = process.platform === 'win32';

/** Folder of the programs of an environment. */
export const programsOf = (folder: string): string => join(folder, windows ? 'Scripts' : 'bin');
export const pythonOf = (folder: string): string => join(programsOf(folder), windows ? 'python.exe' : 'python');
/** Packages that lie in a package of tools need no network. */
export const wheelsOf = (directory: string): string => join(directory, 'wheels');

/** Rejects with what the tools said; whatever lies in the folder is then of no use. */
export async function install({ interpreter, need, directory, folder, ...limits }: Installation): Promise<void> {
  const run: Run = (command, ...args) =>
    runProgram(command, args, {
      ...limits,
      cwd: directory,
      env: { ...limits.env, PIP_NO_INPUT: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' },
    });
  const uv = await findProgram('uv', limits.env);
  // What whoever runs the server chose has modules of its own: those of a host.
  const shared = interpreter.chosen ? ['--system-site-packages'] : [];
  const { command } = interpreter;
  if (uv) await run(uv, 'venv', '--quiet', '--python', command, ...shared, folder);
  else await run(command, '-m', 'venv', ...shared, ...(interpreter.pip ? ['--without-pip'] : []), folder);

  const list = need.file ?? join(folder, 'requirements.txt');
  if (need.file === undefined) await writeFile(list, `${need.requirements}\n`);
  const python = pythonOf(folder);
  const pip = interpreter.pip ? [command, '-m', 'pip', '--python', python] : [python, '-m', 'pip'];
  const begin = uv
    ? [uv, 'pip', 'install', '--quiet', '--python', python]
    : [...pip, 'install', '--quiet', '--retries', '1'];
  const [program = '', ...args] = [...begin, '-r', list];
  const wheels = wheelsOf(directory);
  const bundled = (await stat(wheels).catch(() => undefined))?.isDirectory() === true;
  if (!bundled) {
    await run(program, ...args);
    return;
  }
  const found = [...args, '--find-links', wheels];
  // First without a network: what the package brings is what its author tried.
  await run(program, ...found, '--no-index').catch(error => {
    limits.signal.throwIfAborted();
    return run(program, ...found).catch(() => Promise.reject(error));
  });
}

/** What the server brings of it serves scripts that cannot install it. */
const brought = /^dcc[-_.]mcp[-_.]core\b/i;

/** Whether an interpreter has by itself, or from the server, what is needed. Asks no network, and changes nothing. */
export async function hasAll(
  { command, pip }: Interpreter,
  { file, requirements }: PythonNeed,
  { directory, ...limits }: Pick<Installation, 'env' | 'directory' | 'timeoutMs' | 'signal'>,
): Promise<boolean> {
  const lines = requirements
    .split('\n')
    .map(each => each.trim())
    .filter(each => each !== '' && !each.startsWith('#'));
  const simple = lines.every(each => !each.startsWith('-'));
  const wanted = simple || file === undefined ? lines.filter(each => !brought.test(each)) : ['-r', file];
  if (wanted.length === 0) return true;
  if (!pip) return false;
  const args = ['-m', 'pip', 'install', '--dry-run', '--no-index', '--quiet', ...wanted];
  return runProgram(command, args, { ...limits, cwd: directory }).then(
    () => true,
    () => false,
  );
}
