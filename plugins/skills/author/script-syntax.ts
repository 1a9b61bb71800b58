/** The syntax of scripts, told by their interpreters where these are there. Nothing of a script runs, and nothing is written. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
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

/** Parses without running, the files being its arguments; one JSON line for each that does not parse. */
const powershellCheck = `
foreach ($path in $args) {
  $errors = $null; $tokens = $null
  [void][System.Management.Automation.Language.Parser]::ParseFile((Join-Path (Get-Location).Path $path), [ref]$tokens, [ref]$errors)
  if ($errors) {
    ConvertTo-Json -Compress -InputObject @($path, $errors[0].Extent.StartLineNumber, $errors[0].Message)
  }
}
exit 0
`;

const longestMs = 20_000;
const mostOutput = 64 * 1024;

/** Scripts of one kind: their extensions, and the programs that can tell, of which one must be there. */
interface Kind {
  extensions: readonly string[];
  programs: readonly string[];
  problems(program: string, directory: string, files: readonly string[], env: Environment): Promise<SyntaxProblem[]>;
}

export interface Unchecked {
  files: string[];
  /** Why nobody looked at them. */
  reason: string;
}

const kindsOf = (env: Environment): readonly Kind[] => [
  {
    extensions: ['.py', '.pyw'],
    programs: env.SVC_PYTHON_EXECUTABLE ? [env.SVC_PYTHON_EXECUTABLE] : ['python3', 'python'],
    problems: pythonProblems,
  },
  { extensions: ['.sh', '.bash'], programs: ['bash'], problems: shellProblems },
  { extensions: ['.ps1'], programs: ['pwsh', 'powershell'], problems: powershellProblems },
];

/** What the build of the code looks at. */
const built = /^\.[cm]?[jt]s$/i;

/** What is wrong with `files` (relative to `directory`), and which of them nobody could look at. */
export async function syntaxProblems(
  directory: string,
  files: readonly string[],
  env: Environment,
): Promise<{ problems: SyntaxProblem[]; unchecked: Unchecked[] }> {
  const extensionOf = (file: string): string => extname(file).toLowerCase();
  const kinds = kindsOf(env);
  const unchecked: Unchecked[] = [];
  const found = await Promise.all(
    kinds.map(async ({ extensions, programs, problems }) => {
      const own = files.filter(each => extensions.includes(extensionOf(each)));
      if (own.length === 0) return [];
      const program = await firstOf(programs, env);
      if (program !== undefined) return problems(program, directory, own, env);
      unchecked.push({ files: own, reason: `${programs.join(' or ')} is not there` });
      return [];
    }),
  );
  const others = files.filter(
    each => !built.test(extname(each)) && !kinds.some(kind => kind.extensions.includes(extensionOf(each))),
  );
  if (others.length > 0) unchecked.push({ files: others, reason: 'no program parses such files without running them' });
  return { problems: found.flat(), unchecked };
}

async function pythonProblems(
  program: string,
  directory: string,
  files: readonly string[],
  env: Environment,
): Promise<SyntaxProblem[]> {
  // Isolated: neither the user's settings nor the package's modules have a part in it.
  const { stdout } = await output(
    program,
    ['-I', '-S', '-B', '-c', pythonCheck],
    directory,
    env,
    JSON.stringify(files),
  );
  return toldIn(stdout);
}

async function powershellProblems(
  program: string,
  directory: string,
  files: readonly string[],
  env: Environment,
): Promise<SyntaxProblem[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-syntax-'));
  try {
    // A file: what follows -Command would be read as code, names of files included.
    const check = join(folder, 'check.ps1');
    await writeFile(check, powershellCheck);
    const options = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', check];
    const { stdout } = await output(program, [...options, ...files.map(each => `./${each}`)], directory, env);
    return toldIn(stdout).map(each => ({ ...each, file: each.file.replace(/^\.\//, '') }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The lines of a check: file, line or null, message. */
function toldIn(stdout: string): SyntaxProblem[] {
  return stdout.split(/\r?\n/).flatMap(text => {
    if (!text.startsWith('[')) return [];
    const [file, line, message] = JSON.parse(text) as [string, number | null, string];
    return [{ file, line: line ?? undefined, message }];
  });
}

async function shellProblems(
  program: string,
  directory: string,
  files: readonly string[],
  env: Environment,
): Promise<SyntaxProblem[]> {
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
