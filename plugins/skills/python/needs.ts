/**
 * What the Python scripts of a package need: a version of Python, and packages. Declared as others do: in the script
 * itself (`# /// script`, PEP 723), in the frontmatter, in `requirements.txt` beside SKILL.md or the scripts, or as the
 * `[project]` of `pyproject.toml`.
 */
import { extname } from 'node:path';
import { parse } from 'smol-toml';
import type { SkillManifest } from '../packages/manifest.ts';
import { locate, readText } from '../packages/package-files.ts';
import { Rejection } from '../packages/rejection.ts';
import { scriptBlock } from '../packages/script-block.ts';
import type { ToolFile } from '../packages/tool-files.ts';

export interface PythonNeed {
  /** Versions (`>=3.10`) or the name of an interpreter; empty for any. */
  readonly python: string;
  /** Lines of a requirements file; those of the files that it names follow. */
  readonly requirements: string;
  /** The file itself, when there is one: what it refers to lies beside it. */
  readonly file?: string;
  /** Why what is declared cannot be used. */
  readonly problem?: string;
}

/** Of each tool that needs something. */
export type PythonNeeds = Readonly<Record<string, PythonNeed>>;

const files = ['requirements.txt', 'scripts/requirements.txt'];
const project = 'pyproject.toml';
const largest = 256 * 1024;
const deepest = 4;
const mostFiles = 20;

/** A file that says what Python scripts need. */
export const isRequirementsFile = (name: string): boolean =>
  name === project || /^requirements[\w.-]*\.txt$/i.test(name);

export async function pythonNeeds(
  directory: string,
  manifest: Pick<SkillManifest, 'python' | 'requirements'>,
  tools: readonly ToolFile[],
): Promise<PythonNeeds> {
  const scripts = tools.filter(
    each => each.kind === 'script' && ['.py', '.pyw'].includes(extname(each.path).toLowerCase()),
  );
  if (scripts.length === 0) return {};
  const shared = await sharedNeed(directory, manifest).catch(problemOf);
  const needs = await Promise.all(
    scripts.map(async ({ name, path }) => [name, await ownNeed(directory, path, shared).catch(problemOf)] as const),
  );
  return Object.fromEntries(needs.filter(([, { python, requirements, problem }]) => python || requirements || problem));
}

/** What holds for every script of the package. */
async function sharedNeed(
  directory: string,
  { python = '', requirements }: Pick<SkillManifest, 'python' | 'requirements'>,
): Promise<PythonNeed> {
  if (Array.isArray(requirements)) return { python, requirements: linesOf(requirements, 'SKILL.md: "requirements"') };
  const named = typeof requirements === 'string' && requirements !== '' ? [requirements] : files;
  for (const name of named) {
    const text = await readText(directory, name, largest);
    if (text !== undefined) {
      const file = (await locate(directory, name)) ?? '';
      return { python, requirements: await withIncluded(directory, name, text), ...(text.trim() && { file }) };
    }
    if (named !== files)
      throw new Rejection('read_error', `SKILL.md: "requirements" names ${name}, which does not exist`);
  }
  return projectNeed(directory, python);
}

/** What the package says of itself as a Python project; only what is installed with it counts, not its extras. */
async function projectNeed(directory: string, python: string): Promise<PythonNeed> {
  const text = await readText(directory, project, largest);
  const { project: said = {} } = text === undefined ? {} : tomlOf(text, project);
  if (typeof said !== 'object' || said === null) throw new Rejection('read_error', `${project}: "project" is no table`);
  return declaredIn(said as Toml, project, { python, requirements: '' }, python);
}

type Toml = Readonly<Record<string, unknown>>;

function tomlOf(text: string, where: string): Toml {
  try {
    return parse(text);
  } catch (error) {
    const [first = ''] = (error as Error).message.split('\n');
    throw new Rejection('read_error', `${where} is no TOML (${first})`);
  }
}

/** `requires-python` and `dependencies`; `shared` stands for what is not said, and `python` counts more. */
function declaredIn(data: Toml, at: string, shared: PythonNeed, python = ''): PythonNeed {
  const { 'requires-python': versions = shared.python, dependencies } = data;
  if (typeof versions !== 'string') throw new Rejection('read_error', `${at}: "requires-python" is no text`);
  const wanted = python || versions;
  if (dependencies === undefined) return { ...shared, python: wanted };
  if (!Array.isArray(dependencies)) throw new Rejection('read_error', `${at}: "dependencies" is no list`);
  return { python: wanted, requirements: linesOf(dependencies, `${at}: "dependencies"`) };
}

/** What a script says in its own block counts instead. */
async function ownNeed(directory: string, path: string, shared: PythonNeed): Promise<PythonNeed> {
  const name = path.slice(directory.length + 1);
  const text = await readText(directory, name, largest).catch(() => '');
  const found = scriptBlock.exec((text ?? '').replaceAll('\r\n', '\n'));
  if (!found) return shared;
  const line = (text ?? '').slice(0, found.index).split('\n').length;
  const at = `${name.replaceAll('\\', '/')}:${line}`;
  const data = tomlOf((found[1] ?? '').replaceAll(/^# ?/gm, ''), `${at}: its "# /// script" block`);
  return declaredIn(data, at, shared);
}

/** One requirement a line; an option of the installer is none. */
function linesOf(list: readonly unknown[], where: string): string {
  const odd = list.find(each => typeof each !== 'string' || /^\s*-|[\r\n]/.test(each));
  if (odd !== undefined)
    throw new Rejection('read_error', `${where} has what is no requirement: ${String(odd).slice(0, 80)}`);
  return list.join('\n');
}

/** The text with that of the files that it includes, so that a change of those is one of it. */
async function withIncluded(directory: string, name: string, text: string): Promise<string> {
  const texts = new Map([[name, text]]);
  const follow = async (from: string, content: string, depth: number): Promise<void> => {
    for (const [, path = ''] of content.matchAll(/^\s*(?:-r|-c|--requirement|--constraint)[\s=]+(\S+)/gm)) {
      const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/') + 1) : '';
      const next = folder + path;
      if (depth >= deepest || texts.size >= mostFiles || texts.has(next) || /^[a-z]+:/i.test(path)) continue;
      const found = await readText(directory, next, largest);
      if (found === undefined) continue;
      texts.set(next, found);
      await follow(next, found, depth + 1);
    }
  };
  await follow(name, text, 0);
  return [...texts.values()].map(each => each.trim()).join('\n');
}

function problemOf(error: unknown): PythonNeed {
  if (!(error instanceof Rejection)) throw error;
  return { python: '', requirements: '', problem: error.message };
}
