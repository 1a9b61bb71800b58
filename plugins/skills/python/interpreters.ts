/** Which Python there is: found by name or version on the PATH, and asked what it is. Nothing of a package runs for that. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Environment, findProgram } from '../../../kernel/index.ts';
import { pathFolders } from '../../../schemas/program.ts';
import { runProgram } from '../processes/run-program.ts';
import { isVersionSpec, satisfies } from './versions.ts';

export interface Interpreter {
  command: string;
  /** What it says of itself: `3.11.7`, and the program that it really is. */
  version: string;
  executable: string;
  /** Has a pip that can install into other environments. */
  pip: boolean;
  /** Chosen by whoever runs the server (SVC_PYTHON_EXECUTABLE): its own modules count too. */
  chosen: boolean;
}

const probe =
  'import json, sys, platform\n' +
  'def pip():\n' +
  '    try:\n' +
  '        from importlib.metadata import version\n' +
  "        return tuple(int(n) for n in version('pip').split('.')[:2]) >= (22, 3)\n" +
  '    except Exception: return False\n' +
  "print(json.dumps({'version': platform.python_version().split('+')[0], 'executable': sys.executable, 'pip': pip()}))";
const probeMs = 10_000;
/** `python3.12`, however a system spells it. */
const versioned = /^python3(?:\.\d+)+(?:\.exe)?$/i;
const known = new Map<string, Promise<Omit<Interpreter, 'command' | 'chosen'> | undefined>>();

/** The first interpreter that is what `spec` asks for; throws a sentence of what there is instead. */
export async function findInterpreter(spec: string, env: Environment): Promise<Interpreter> {
  const chosen = env.SVC_PYTHON_EXECUTABLE || undefined;
  const byName = isVersionSpec(spec) ? undefined : spec;
  const names = chosen ? [chosen] : byName ? [byName] : ['python', 'python3', ...(await versionedNames(env))];
  const wanted = byName ? '' : spec;
  const seen: string[] = [];
  for (const name of names) {
    const command = await findProgram(name, env);
    const found = command && (await ask(command, env));
    if (!found) continue;
    if (satisfies(found.version, wanted)) return { ...found, command, chosen: chosen !== undefined };
    seen.push(found.version);
  }
  const there = seen.length > 0 ? ` (there is ${[...new Set(seen)].join(', ')})` : '';
  const what = byName ?? (spec ? `Python ${spec}` : 'Python');
  throw new Error(`${what} was not found${there}: install it, or set SVC_PYTHON_EXECUTABLE to the path of one`);
}

async function versionedNames(env: Environment): Promise<string[]> {
  const folders = pathFolders(env);
  const names = await Promise.all(folders.map(each => readdir(each).catch(() => [] as string[])));
  return folders.flatMap((folder, at) =>
    (names[at] ?? []).filter(each => versioned.test(each)).map(each => join(folder, each)),
  );
}

function ask(command: string, env: Environment): Promise<Omit<Interpreter, 'command' | 'chosen'> | undefined> {
  const before = known.get(command);
  if (before) return before;
  const answer = runProgram(command, ['-I', '-c', probe], { env, timeoutMs: probeMs })
    .then(({ stdout }) => JSON.parse(stdout) as Omit<Interpreter, 'command' | 'chosen'>)
    .catch(() => {
      known.delete(command);
      return undefined;
    });
  known.set(command, answer);
  return answer;
}
