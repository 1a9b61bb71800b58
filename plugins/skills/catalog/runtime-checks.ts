/** What a package needs of the machine: declared programs, variables and Python modules, and the interpreters of its scripts. */
import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { type Environment, findProgram } from '../../../kernel/index.ts';
import type { SkillPackage } from '../packages/manifest.ts';
import { asFlag, asList, type Fields, isFields, snakeKeys } from '../packages/manifest-keys.ts';
import { loadedSkill } from '../packages/skill-files.ts';
import { resolveToolFiles } from '../packages/tool-files.ts';

export type RuntimeState = 'available' | 'degraded' | 'missing';

export interface RuntimeReport {
  name: string;
  type: string;
  /** `degraded`: it is not there, and the package says that it can do without. */
  state: RuntimeState;
  description?: string;
  guidance?: string;
}

export interface RuntimeChecks {
  reports(found: SkillPackage): Promise<RuntimeReport[]>;
}

interface Need extends Omit<RuntimeReport, 'state'> {
  optional: boolean;
  /** What is looked for; nothing when nobody can look for it. */
  value: string | undefined;
}

const mostNeeds = 50;
const moduleName = /^[A-Za-z_]\w*/;
const modulesLastMs = 60_000;
const pythonMs = 10_000;
const pythons = ['python', 'python3'];
const interpreters: Readonly<Record<string, readonly string[]>> = {
  '.py': pythons,
  '.pyw': pythons,
  '.sh': ['bash'],
  '.bash': ['bash'],
  '.ps1': ['pwsh', 'powershell'],
  '.bat': ['cmd'],
  '.cmd': ['cmd'],
};

/** `ownPythons` tells the interpreters that run the scripts of a package now, where it needs some of its own. */
export function createRuntimeChecks(
  env: Environment,
  ownPythons: (found: SkillPackage) => Promise<readonly string[]>,
): RuntimeChecks {
  const modules = createModuleChecks(env);

  /** The interpreters that run its scripts: its own, else the one of all. */
  const pythonsOf = async (skill: SkillPackage): Promise<readonly string[]> => {
    const own = await ownPythons(skill);
    if (own.length > 0) return own;
    const given = env.SVC_PYTHON_EXECUTABLE ? [env.SVC_PYTHON_EXECUTABLE] : pythons;
    const found = await Promise.all(given.map(name => findProgram(name, env)));
    return found.filter(each => each !== undefined).slice(0, 1);
  };

  const isThere = async ({ type, value }: Need, programs: () => Promise<readonly string[]>): Promise<boolean> => {
    if (value === undefined) return false;
    if (type === 'env_var') return Boolean(env[value]);
    if (type === 'binary') return (await findProgram(value, env)) !== undefined;
    const answers = await Promise.all((await programs()).map(program => modules.has(program, value)));
    return answers.includes(true);
  };

  const report = async (need: Need, programs: () => Promise<readonly string[]>): Promise<RuntimeReport> => {
    const { optional, value: _, ...shown } = need;
    const absent = optional ? 'degraded' : 'missing';
    return { ...shown, state: (await isThere(need, programs)) ? 'available' : absent };
  };

  /** Of the scripts' interpreters only those that are not there: the others are nobody's question. */
  const lostInterpreters = async ({ directory, manifest }: SkillPackage): Promise<RuntimeReport[]> => {
    const files = await resolveToolFiles(directory, manifest.tools, () => undefined);
    const extensions = new Set(
      files.filter(each => each.kind === 'script').map(each => extname(each.path).toLowerCase()),
    );
    const wanted = new Set([...extensions].map(each => interpreters[each]).filter(each => each !== undefined));
    const lost: RuntimeReport[] = [];
    for (const names of wanted) {
      const given = names === pythons && env.SVC_PYTHON_EXECUTABLE ? [env.SVC_PYTHON_EXECUTABLE] : names;
      const found = await Promise.all(given.map(name => findProgram(name, env)));
      if (found.some(each => each !== undefined)) continue;
      lost.push({ name: names[0] ?? '', type: 'binary', state: 'missing', description: 'runs scripts of the skill' });
    }
    return lost;
  };

  return {
    async reports(found) {
      const declared = (await needsOf(found)).slice(0, mostNeeds);
      // Asked for once, and only where a module is wanted.
      let asked: Promise<readonly string[]> | undefined;
      const programs = (): Promise<readonly string[]> => {
        asked ??= pythonsOf(found);
        return asked;
      };
      const told = declared.map(need => report(need, programs));
      return Promise.all([...told, lostInterpreters(found)]).then(all => all.flat());
    },
  };
}

/** The sentence and the worst state of them, as list_skills has them; nothing when nothing is declared or missing. */
export function runtimeSummary(reports: readonly RuntimeReport[]): { runtime?: string; runtime_state?: RuntimeState } {
  if (reports.length === 0) return {};
  const states = reports.map(each => each.state);
  const worst = states.includes('missing') ? 'missing' : states.includes('degraded') ? 'degraded' : 'available';
  return { runtime: reports.map(each => `${each.name}: ${each.state}`).join(', '), runtime_state: worst };
}

/** What SKILL.md declares, in each of the ways in which packages do. A list that cannot be read declares nothing. */
async function needsOf(found: SkillPackage): Promise<Need[]> {
  const settings = found.manifest as unknown as Fields;
  const { runtimes, runtime_deps = runtimes, optional_runtimes = runtime_deps, external_deps } = settings;
  const listed = await listOf(found, optional_runtimes);
  const outside = fromJson(external_deps);
  const tools = isFields(outside) && Array.isArray(outside.tools) ? (outside.tools as unknown[]) : [];
  return [
    ...listed.filter(isFields).map(each => declaredNeed(snakeKeys(each))),
    ...tools.filter(isFields).flatMap(each => externalNeed(snakeKeys(each))),
    ...openclawNeeds(found.manifest.metadata.openclaw),
  ];
}

async function listOf(found: SkillPackage, given: unknown): Promise<unknown[]> {
  const inline = fromJson(given);
  const data =
    typeof inline === 'string'
      ? await loadedSkill(found)
          .yaml(inline)
          .catch(() => undefined)
      : inline;
  const list = isFields(data) ? (data.runtimes ?? []) : data;
  return Array.isArray(list) ? (list as unknown[]) : [];
}

function declaredNeed({ name, type = 'python_package', optional, description, guidance, ...rest }: Fields): Need {
  const { module, binary, env, package: wheel, extra, install_hint, feature_level } = rest;
  const kind = String(type);
  const own = text(name);
  const value = kind === 'env_var' ? (text(env) ?? own) : kind === 'binary' ? (text(binary) ?? own) : text(module);
  const shown = own ?? text(wheel) ?? text(extra) ?? value ?? text(feature_level) ?? 'runtime';
  const said = text(description);
  const hint = text(guidance) ?? text(install_hint);
  return {
    ...{ name: shown, type: kind, value, optional: asFlag(optional) === true },
    ...(said !== undefined && { description: said }),
    ...(hint !== undefined && { guidance: hint }),
  };
}

function externalNeed({ type, value, description }: Fields): Need[] {
  const name = text(value);
  if (name === undefined || (type !== 'bin' && type !== 'env_var')) return [];
  const said = text(description);
  const kind = type === 'bin' ? 'binary' : 'env_var';
  return [{ name, type: kind, value: name, optional: false, ...(said !== undefined && { description: said }) }];
}

/** `metadata.openclaw.requires`: programs and variables of packages from that world. */
function openclawNeeds(given: unknown): Need[] {
  const requires = isFields(given) ? given.requires : undefined;
  if (!isFields(requires)) return [];
  const needs = (key: string, type: string): Need[] => {
    const names = asList(requires[key]);
    const texts = Array.isArray(names) ? names.filter(each => typeof each === 'string') : [];
    return texts.map(name => ({ name, type, value: name, optional: false }));
  };
  return [...needs('bins', 'binary'), ...needs('env', 'env_var')];
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, 500) : undefined;

/** Whether a Python has a module: asked once for all that want to know at the same time, and remembered for a while. */
function createModuleChecks(env: Environment) {
  const known = new Map<string, { found: Promise<boolean>; at: number }>();
  const asking = new Map<string, { names: Set<string>; answer: Promise<ReadonlySet<string>> }>();

  const ask = (program: string) => {
    const names = new Set<string>();
    const begin = async (): Promise<ReadonlySet<string>> => {
      await new Promise<void>(resolve => setImmediate(resolve));
      asking.delete(program);
      return modulesOf(program, [...names], env);
    };
    const asked = { names, answer: begin() };
    asking.set(program, asked);
    return asked;
  };

  return {
    has(program: string, given: string): Promise<boolean> {
      // Looking for `a.b` would run the code of `a`.
      const [name] = moduleName.exec(given) ?? [];
      if (name === undefined) return Promise.resolve(false);
      const key = JSON.stringify([program, name]);
      const before = known.get(key);
      if (before && Date.now() - before.at < modulesLastMs) return before.found;
      const { names, answer } = asking.get(program) ?? ask(program);
      names.add(name);
      const found = answer.then(all => all.has(name));
      known.set(key, { found, at: Date.now() });
      return found;
    },
  };
}

const finder =
  'import importlib.util as u, sys\nfor n in sys.argv[1:]:\n    try:\n        if u.find_spec(n): print(n)\n    except Exception: pass';

function modulesOf(program: string, names: readonly string[], env: Environment): Promise<ReadonlySet<string>> {
  return new Promise(resolve => {
    const child = spawn(program, ['-I', '-c', finder, ...names], {
      env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: pythonMs,
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
    child.once('error', () => resolve(new Set()));
    child.once('close', () => resolve(new Set(output.split(/\r?\n/).filter(Boolean))));
  });
}
