/** Finds the file behind each declared tool (shape:scripts): `source_file`, `tools/<stem>`, `scripts/<stem>`, the only script. */
import { readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { SkillToolDeclaration } from '../../../schemas/skill-manifest.ts';
import type { SkillPackage } from './manifest.ts';
import { isMissing, isRegular, locate } from './package-files.ts';
import { type MissingTool, Rejection } from './rejection.ts';
import { isScript } from './script-tools.ts';

/** A tool file: `module` runs in the skill's worker, `script` as a child process per call. */
export interface ToolFile {
  name: string;
  /** Absolute path inside the skill's directory. */
  path: string;
  kind: 'module' | 'script';
}

const moduleExtensions = ['.ts', '.mts', '.js', '.mjs'];
const notScripts = new Set(['.md', '.txt', '.json', '.yaml', '.yml', '.toml', '.pyc', '.lock']);

/**
 * The executable tools, in declaration order; a tool without a file is left out: it stays visible, not executable.
 * One that names a file which cannot be its own is told to `miss`, or refused with all others when nobody listens.
 */
export async function resolveToolFiles(
  directory: string,
  tools: readonly SkillToolDeclaration[],
  miss?: (tool: MissingTool) => void,
): Promise<ToolFile[]> {
  const modules = (await filesOf(directory, 'tools')).filter(
    name => moduleExtensions.includes(extname(name)) && !/\.d\.m?ts$/.test(name),
  );
  const scripts = (await filesOf(directory, 'scripts')).filter(
    name => !notScripts.has(extname(name)) && name !== '__init__.py',
  );
  const found: ToolFile[] = [];
  for (const { name, source_file: source } of tools) {
    const chosen = source === '' ? choose(name, modules, scripts) : source.replaceAll('\\', '/');
    if (chosen === undefined) continue;
    try {
      const path = await locate(directory, chosen);
      if (path === undefined) throw new Rejection('missing_source_file', `source_file "${chosen}" does not exist`);
      if (!(await isRegular(path))) {
        throw new Rejection('missing_source_file', `source_file "${chosen}" is not a regular file`);
      }
      found.push({ name, path, kind: kindOf(directory, chosen) });
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const message = `tool "${name}": ${error.message}`;
      if (!miss) throw new Rejection(error.reason, message);
      miss({ name, reason_code: error.reason, message });
    }
  }
  return found;
}

/** Every declared tool that cannot be called because of what the package says, and why. */
export async function missingTools({ directory, manifest }: SkillPackage): Promise<MissingTool[]> {
  const found = [...manifest.missing];
  await resolveToolFiles(directory, manifest.tools, each => found.push(each));
  return found;
}

/** `Maya__Make-Sphere` and `make_sphere.py` have the stem `make_sphere`. */
export const stemOf = (name: string): string =>
  name
    .slice(name.lastIndexOf('__') + 1)
    .replace(/^_+/, '')
    .replaceAll('-', '_')
    .toLowerCase();

function choose(tool: string, modules: readonly string[], scripts: readonly string[]): string | undefined {
  const matches = (file: string): boolean => {
    const stem = file
      .slice(0, file.length - extname(file).length)
      .replaceAll('-', '_')
      .toLowerCase();
    return stem === stemOf(tool) || stem === tool.replaceAll('-', '_').toLowerCase();
  };
  const module = moduleExtensions.flatMap(extension => modules.filter(each => each.endsWith(extension))).find(matches);
  if (module !== undefined) return `tools/${module}`;
  const [only, ...others] = scripts.filter(isScript);
  const script = scripts.find(matches) ?? (others.length === 0 ? only : undefined);
  return script === undefined ? undefined : `scripts/${script}`;
}

/** What lies under `scripts/` runs as a child process, a TypeScript or JavaScript file elsewhere in the skill's worker. */
function kindOf(directory: string, chosen: string): ToolFile['kind'] {
  const [first] = relative(directory, join(directory, chosen)).split(sep);
  return first !== 'scripts' && moduleExtensions.includes(extname(chosen)) ? 'module' : 'script';
}

async function filesOf(directory: string, folder: string): Promise<string[]> {
  const path = await locate(directory, folder);
  if (path === undefined) return [];
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .filter(each => (each.isFile() || each.isSymbolicLink()) && !each.name.startsWith('.'))
      .map(each => each.name)
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw new Rejection('read_error', `${folder}/ cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
