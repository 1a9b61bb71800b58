/** The files beside SKILL.md that belong to the manifest: tools, groups, dependencies. */
import { basename } from 'node:path';
import type { SkillGroupDeclaration, SkillToolDeclaration } from '../../../schemas/skill-manifest.ts';
import { groupDeclarations, toolDeclarations } from './declarations.ts';
import { namesIn } from './depends.ts';
import { asFlag, convert, type Fields, isFields } from './manifest-keys.ts';
import { locate } from './package-files.ts';
import { type Finding, finding, type MissingTool, type ReasonCode, Rejection, type Warn } from './rejection.ts';
import { type ScriptHead, scriptTools } from './script-tools.ts';
import { parseYaml } from './yaml-text.ts';

export interface SiblingFiles {
  directory: string;
  /** Text of a file of the package, undefined when there is none. */
  read(name: string): Promise<string | undefined>;
  scripts(): Promise<readonly ScriptHead[]>;
  /** What the tools of a package without declarations are for, when their scripts do not say it. */
  about: string;
  warn: Warn;
}

export interface Siblings {
  tools: SkillToolDeclaration[];
  missing: MissingTool[];
  groups: SkillGroupDeclaration[];
  /** The other keys of the block. */
  settings: Fields;
  /** A file that could not be used as a whole: its declarations are missing, nobody knows which. */
  unread?: Finding;
}

type Declarations = 'invalid_tools_yaml' | 'invalid_groups_yaml';

export async function readSiblings(files: SiblingFiles, own: Fields): Promise<Siblings> {
  const { directory, read, scripts, about, warn } = files;
  const { tools: toolsKey, groups: groupsKey, ...rest } = own;
  const flags = convert(rest, ['allow_implicit_invocation', 'scripts'], asFlag);
  const settings = await withoutOutside(directory, flags, warn);
  const unread: Finding[] = [];

  /** What `use` makes of a declaration file; one that cannot be used is a warning. */
  const using = async <T>(
    key: unknown,
    fallback: string,
    reason: Declarations,
    use: (data: unknown) => T,
  ): Promise<T | undefined> => {
    try {
      const data = Array.isArray(key) ? (key as unknown) : await declarations(key, fallback, reason, read);
      return data === undefined ? undefined : use(data);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      warn(error.reason, error.message);
      unread.push(finding(error.reason, error.message));
      return undefined;
    }
  };
  const declared = await using(toolsKey, 'tools.yaml', 'invalid_tools_yaml', data => ({
    ...toolDeclarations(data, warn),
    groups: isFields(data) ? data : undefined,
  }));
  const grouped = await using(groupsKey, 'groups.yaml', 'invalid_groups_yaml', data => groupDeclarations(data, warn));
  const inTools = await using([], '', 'invalid_groups_yaml', () => groupDeclarations(declared?.groups, warn));
  const usesScripts =
    (declared?.tools.length ?? 0) + (declared?.missing.length ?? 0) === 0 && settings.scripts !== false;
  const tools = usesScripts
    ? toolDeclarations(scriptTools(await scripts(), about), warn).tools
    : (declared?.tools ?? []);
  const depends = await dependencies(read, warn);
  const [first] = unread;
  return {
    tools,
    missing: declared?.missing ?? [],
    groups: grouped ?? inTools ?? [],
    settings: depends.length > 0 ? { ...settings, depends: union(settings.depends, depends) } : settings,
    ...(first && { unread: first }),
  };
}

/**
 * `settings` without the keys that name a file outside the package. The files are read by the plugins that use them; a
 * glob has no real path.
 */
async function withoutOutside(directory: string, settings: Fields, warn: Warn): Promise<Fields> {
  const kept = { ...settings };
  for (const key of ['prompts', 'resources', 'recipes', 'runtimes']) {
    const named = settings[key];
    if (typeof named !== 'string') continue;
    try {
      if (!/[*?]/.test(named)) await locate(directory, named);
      else if (named.split(/[\\/]/).includes('..')) {
        throw new Rejection('path_outside_directory', `"${named.slice(0, 120)}" leads out of the package directory`);
      }
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      warn(error.reason, `"${key}" is ignored: ${error.message}`);
      delete kept[key];
    }
  }
  return kept;
}

async function declarations(
  key: unknown,
  fallback: string,
  reason: ReasonCode,
  read: SiblingFiles['read'],
): Promise<unknown> {
  if (key !== undefined && typeof key !== 'string') throw new Rejection(reason, 'the key does not name a file');
  const name = key ?? fallback;
  const text = await read(name);
  if (text === undefined && key !== undefined) throw new Rejection(reason, `${basename(name)} does not exist`);
  return text === undefined ? undefined : parseYaml(text, reason, basename(name));
}

/** What `metadata/depends.md` names; nothing when it cannot be read. */
async function dependencies(read: SiblingFiles['read'], warn: Warn): Promise<string[]> {
  const file = 'metadata/depends.md';
  try {
    const { names, prose } = namesIn((await read(file)) ?? '');
    if (prose) warn('invalid_depends', `${file} names no skill on a line of its own`);
    return names;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    warn('invalid_depends', error.message);
    return [];
  }
}

const union = (declared: unknown, more: unknown[]): unknown[] => [
  ...new Set([...(Array.isArray(declared) ? declared : []), ...more]),
];
