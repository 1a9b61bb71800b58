/** Which program runs a script: by its extension, as the public skill packages expect it. */
import { basename, extname, isAbsolute, join } from 'node:path';
import { type Environment, findProgram, isBuilt, packageRoot } from '../../../kernel/index.ts';
import { readRegular } from '../packages/package-files.ts';
import { runtimeErrors } from './runtime-errors.ts';
import type { ScriptPython } from './script-environments.ts';

export interface ScriptOf {
  tool: string;
  path: string;
  dcc: string;
}

export interface Invocation {
  command: string;
  /** Arguments before the parameters. */
  args: string[];
  env: Record<string, string>;
  /** A Windows command script: its arguments pass a shell, so parameters with shell characters go by stdin alone. */
  shell: boolean;
}

/** Hosts whose scripts need the modules of their own Python. */
const hosts = new Set('maya blender houdini 3dsmax max nuke katana cinema4d c4d modo motionbuilder'.split(' '));
const nodeScripts = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']);

/** Files that a script may use without installing anything. */
export const helpers = join(packageRoot, ...(isBuilt ? ['dist'] : ['plugins', 'skills']), 'helpers');

/** True for scripts that are TypeScript and must be bundled first. */
export const isTypeScript = (path: string): boolean => /\.[cm]?ts$/i.test(path);

/**
 * How to run a script; rejects when its interpreter is missing or must not be used. `bundled` replaces a TypeScript file,
 * `own` is the Python made for the script.
 */
export async function invocationOf(
  script: ScriptOf,
  env: Environment,
  bundled?: string,
  own?: ScriptPython,
): Promise<Invocation> {
  const { path } = script;
  const extension = extname(path).toLowerCase();
  const plain = (command: string, ...args: string[]): Invocation => ({ command, args, env: {}, shell: false });
  if (nodeScripts.has(extension)) return plain(process.execPath, '--enable-source-maps', bundled ?? path);
  if (extension === '.sh' || extension === '.bash') return plain(await need(['bash'], script, env), path);
  if (extension === '.ps1') {
    const shell = await need(['pwsh', 'powershell'], script, env);
    return plain(shell, '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', path);
  }
  if (extension === '.bat' || extension === '.cmd') {
    return { ...plain(await need(['cmd'], script, env), '/D', '/C', path), shell: true };
  }
  return python(script, env, own);
}

/** Python runs `.py` and every extension that has no interpreter of its own, such as `.mel` or `.lua`. */
async function python(script: ScriptOf, env: Environment, own?: ScriptPython): Promise<Invocation> {
  const { path, tool, dcc } = script;
  const chosen = env.SVC_PYTHON_EXECUTABLE || undefined;
  const snippet = env.SVC_PYTHON_INIT_SNIPPET || undefined;
  const ambientAllowed = /^(1|true)$/i.test(env.SVC_ALLOW_AMBIENT_PYTHON ?? '');
  if (hosts.has(dcc.toLowerCase()) && !chosen && !snippet && !ambientAllowed) {
    throw runtimeErrors.INTERPRETER_REFUSED({ file: basename(path), tool, dcc });
  }
  const command = own?.command ?? (await need(chosen ? [chosen] : ['python', 'python3'], script, env));
  const file = (await leavesStart(path)) ? [join(helpers, 'svc_run.py'), path] : [path];
  const args = snippet ? ['-c', withSnippet(snippet), ...file] : file;
  return { command, args, env: { PYTHONIOENCODING: 'utf-8', PYTHONUTF8: '1', ...own?.env }, shell: false };
}

/**
 * True for a script that defines `main`, or a function under `skill_entry`, and has no `__main__` part to call it: in the
 * hosts of the public packages that is called for it. (One with relative imports cannot run as a program at all.)
 */
async function leavesStart(path: string): Promise<boolean> {
  if (!/\.pyw?$/i.test(path)) return false;
  const source = (await readRegular(path)).toString('utf8');
  if (/^from\s+\./m.test(source)) return definesEntry.test(source);
  return !source.includes('__main__') && definesEntry.test(source);
}

const definesEntry =
  /^(?:(?:async\s+)?def\s+main\b|main\s*=|from\s.*\bimport\b.*\bmain\b|@(?:\w+\.)*skill_entry\b)|__mcp_params__/m;

/** Runs the snippet, then the script as if it had been started itself. */
function withSnippet(snippet: string): string {
  return [
    snippet,
    'import os as _svc_os, runpy as _svc_runpy, sys as _svc_sys',
    '_svc_sys.argv = _svc_sys.argv[1:]',
    '_svc_sys.path.insert(0, _svc_os.path.dirname(_svc_sys.argv[0]))',
    "_svc_runpy.run_path(_svc_sys.argv[0], run_name='__main__')",
  ].join('\n');
}

async function need(names: string[], { tool, path }: ScriptOf, env: Environment): Promise<string> {
  for (const name of names) {
    const found = await findProgram(name, env);
    if (found) return found;
  }
  const [interpreter = ''] = names;
  const isPython = names.includes('python3') || interpreter === env.SVC_PYTHON_EXECUTABLE;
  throw runtimeErrors.INTERPRETER_MISSING({
    file: basename(path),
    tool,
    interpreter: isAbsolute(interpreter) ? basename(interpreter) : names.join(' or '),
    remedy: isPython
      ? 'install Python 3, or set SVC_PYTHON_EXECUTABLE to the path of an interpreter'
      : `install ${names[0]} or put its folder on the PATH`,
  });
}
