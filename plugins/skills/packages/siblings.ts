/** The files beside SKILL.md that belong to the manifest: tools, groups, dependencies. */
import { basename } from 'node:path';
import type { SkillGroupDeclaration, SkillToolDeclaration } from '../../../schemas/skill-manifest.ts';
import { groupDeclarations, toolDeclarations } from './declarations.ts';
import { namesIn } from './depends.ts';
import { asFlag, convert, type Fields, isFields } from './manifest-keys.ts';
import { locate } from './package-files.ts';
import { type Finding, finding, type MissingTool, Rejection, type Warn } from './rejection.ts';
import { type ScriptHead, scriptTools } from './script-tools.ts';
import type { Place, SourceLines, Step } from './source-lines.ts';
import { parseYaml } from './yaml-text.ts';

export interface SiblingFiles {
  directory: string;
  /** Text of a file of the package, undefined when there is none. */
  read(name: string): Promise<string | undefined>;
  scripts(): Promise<readonly ScriptHead[]>;
  /** What the tools of a package without declarations are for, when their scripts do not say it. */
  about: string;
  warn: Warn;
  lines?: SourceLines | undefined;
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
  const { directory, read, scripts, about, warn, lines } = files;
  const { tools: toolsKey, groups: groupsKey, ...rest } = own;
  const flags = convert(rest, ['allow_implicit_invocation', 'scripts'], asFlag);
  const settings = await withoutOutside(directory, flags, warn);
  const unread: Finding[] = [];

  /** What `use` makes of a declaration file; one that cannot be used is a warning. */
  const using = async <T>(
    kind: 'tools' | 'groups',
    key: unknown,
    use: (data: unknown, warnThere: Warn) => T,
  ): Promise<T | undefined> => {
    const at = placeOf(kind, key);
    lines?.declare(kind, at);
    const warnThere = warnAt(warn, at);
    const reason = `invalid_${kind}_yaml` as const;
    try {
      const data = Array.isArray(key)
        ? (key as unknown)
        : await declarations(key, at, reason, { ...files, warn: warnThere });
      return data === undefined ? undefined : use(data, warnThere);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      warnThere(error.reason, error.message, error.place);
      unread.push(finding(error.reason, error.message));
      return undefined;
    }
  };
  const declared = await using('tools', toolsKey, (data, warnThere) => ({
    ...toolDeclarations(data, warnThere),
    groups: isFields(data) ? data : undefined,
  }));
  const grouped = await using('groups', groupsKey, groupDeclarations);
  const warnInTools = warnAt(warn, placeOf('tools', toolsKey));
  const inTools = inlineGroups(declared?.groups, warnInTools, unread);
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

/** The file of the declarations, or the list in SKILL.md. */
const placeOf = (kind: 'tools' | 'groups', key: unknown): Place & { file: string } =>
  Array.isArray(key) ? { file: 'SKILL.md', steps: ownKeys } : { file: typeof key === 'string' ? key : `${kind}.yaml` };

const ownKeys: readonly Step[] = ['metadata', 'svc'];

/** Tells what `warn` is told as something at that place, or below it. */
const warnAt =
  (warn: Warn, at: Place): Warn =>
  (reason, message, { steps = [], ...place } = {}) =>
    warn(reason, message, { ...at, steps: [...(at.steps ?? []), ...steps], ...place });

/** Groups that stand in the file of the tools. */
function inlineGroups(data: unknown, warn: Warn, unread: Finding[]): SkillGroupDeclaration[] | undefined {
  try {
    return groupDeclarations(data, warn);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    warn(error.reason, error.message, { steps: ['groups'] });
    unread.push(finding(error.reason, error.message));
    return undefined;
  }
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
      const at = { file: 'SKILL.md', steps: [...ownKeys, key] };
      warn(error.reason, `"${key}" is ignored: ${error.message}`, at);
      delete kept[key];
    }
  }
  return kept;
}

async function declarations(
  key: unknown,
  { file: path }: { file: string },
  reason: Declarations,
  { read, lines, warn }: SiblingFiles,
): Promise<unknown> {
  const named = { file: 'SKILL.md', steps: [...ownKeys, reason.split('_', 2)[1] ?? ''] };
  if (key !== undefined && typeof key !== 'string') throw new Rejection(reason, 'the key does not name a file', named);
  const text = await read(path);
  if (text === undefined && key !== undefined) {
    throw new Rejection(reason, `${basename(path)} does not exist`, named);
  }
  const onTwice = (message: string, place: Place): void => warn(reason, message, place);
  return text === undefined ? undefined : parseYaml(text, reason, basename(path), { lines, path, onTwice });
}

/** What `metadata/depends.md` names; nothing when it cannot be read. */
async function dependencies(read: SiblingFiles['read'], warn: Warn): Promise<string[]> {
  const file = 'metadata/depends.md';
  try {
    const { names, prose } = namesIn((await read(file)) ?? '');
    if (prose) warn('invalid_depends', `${file} names no skill on a line of its own`, { file });
    return names;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    warn('invalid_depends', error.message, { file });
    return [];
  }
}

const union = (declared: unknown, more: unknown[]): unknown[] => [
  ...new Set([...(Array.isArray(declared) ? declared : []), ...more]),
];
