/** The syntax of scripts, told by their interpreters where these are there. Nothing of a script runs, and nothing is written. */
import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { type Environment, findProgram } from '../../../kernel/index.ts';
import { killTree, ownGroup } from '../processes/process-tree.ts';

export interface SyntaxProblem {
  /** Relative to the package. */
  file: string;
  line: number | undefined;
  message: string;
}

/** Compiles without importing, executing or caching; one JSON line for each file that does not compile. */
const pythonCheck = `
import json, sys, warnings
warnings.simplefilter("ignore")
for path in json.load(sys.stdin):
    try:
        with open(path, "rb") as file:
            compile(file.read(), path, "exec", dont_inherit=True)
    except SyntaxError as error:
        print(json.dumps([path, error.lineno, error.msg]))
    except Exception as error:
        print(json.dumps([path, None, str(error)]))
`;

const longestMs = 20_000;
const mostOutput = 64 * 1024;

/** What is wrong with those of `files` (relative to `directory`) whose interpreter is there. */
export async function syntaxProblems(
  directory: string,
  files: readonly string[],
  env: Environment,
): Promise<SyntaxProblem[]> {
  const of = (...extensions: string[]): string[] =>
    files.filter(each => extensions.includes(extname(each).toLowerCase()));
  const [python, shell] = await Promise.all([
    pythonProblems(directory, of('.py', '.pyw'), env),
    shellProblems(directory, of('.sh', '.bash'), env),
  ]);
  return [...python, ...shell];
}

async function pythonProblems(directory: string, files: readonly string[], env: Environment): Promise<SyntaxProblem[]> {
  if (files.length === 0) return [];
  const program = await firstOf(env.SVC_PYTHON_EXECUTABLE ? [env.SVC_PYTHON_EXECUTABLE] : ['python3', 'python'], env);
  if (program === undefined) return [];
  // Isolated: neither the user's settings nor the package's modules have a part in it.
  const { stdout } = await output(
    program,
    ['-I', '-S', '-B', '-c', pythonCheck],
    directory,
    env,
    JSON.stringify(files),
  );
  return stdout.split('\n').flatMap(text => {
    if (!text.startsWith('[')) return [];
    const [file, line, message] = JSON.parse(text) as [string, number | null, string];
    return [{ file, line: line ?? undefined, message }];
  });
}

async function shellProblems(directory: string, files: readonly string[], env: Environment): Promise<SyntaxProblem[]> {
  if (files.length === 0) return [];
  const program = await firstOf(['bash'], env);
  if (program === undefined) return [];
  const found: SyntaxProblem[] = [];
  for (const file of files) {
    const { code, stderr } = await output(program, ['-n', `./${file}`], directory, env);
    // Ended by the clock, it has found nothing.
    if (code === 0 || code === null) continue;
    const [first = ''] = stderr.trim().split('\n');
    const [, line, message = first] = /: line (\d+): (.*)$/.exec(first) ?? [];
    found.push({ file, line: line === undefined ? undefined : Number(line), message });
  }
  return found;
}

async function firstOf(names: readonly string[], env: Environment): Promise<string | undefined> {
  const found = await Promise.all(names.map(name => findProgram(name, env)));
  return found.find(each => each !== undefined);
}

/** What a program prints; one that takes too long or cannot be started has printed nothing. */
function output(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Environment,
  input = '',
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise(resolve => {
    const child = spawn(program, args, { ...ownGroup, cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    const text = { stdout: '', stderr: '' };
    const timer = setTimeout(() => void killTree(child, 0), longestMs);
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        if (text[name].length < mostOutput) text[name] += chunk;
      });
    }
    const end = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, ...text });
    };
    child.once('error', () => end(0));
    child.once('close', end);
    child.stdin.on('error', () => undefined).end(input);
  });
}
