/** Reads one package directory: its manifest, or the record of why it is refused. Nothing of it is executed. */
import { hash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type SkillFrontmatter,
  SkillFrontmatterSchema,
  type SkillGroupDeclaration,
  type SkillMetadata,
  SkillMetadataSchema,
  type SkillToolDeclaration,
} from '../../../schemas/skill-manifest.ts';
import { groupDeclarations, joinGroups, toolDeclarations } from './declarations.ts';
import { parseFrontmatter } from './frontmatter.ts';
import { asFlag, asList, asText, convert, type Fields, isFields, namespaceKeys, snakeKeys } from './manifest-keys.ts';
import { isMissing, locate, readText } from './package-files.ts';
import { Rejection, type SkippedSkill, skipRecord } from './rejection.ts';
import { check } from './shape.ts';
import { parseYaml } from './yaml-text.ts';

export interface SkillManifest extends Omit<SkillFrontmatter, 'metadata'>, SkillMetadata {
  tools: SkillToolDeclaration[];
  groups: SkillGroupDeclaration[];
  /** `metadata` as written. */
  metadata: Fields;
  /** The guidance below the frontmatter. */
  body: string;
  /** Names of the files the manifest was read from, relative to the directory. */
  files: string[];
}

export interface SkillPackage {
  name: string;
  /** Real path. */
  directory: string;
  manifest: SkillManifest;
  /** Content hash of the manifest's files. */
  fingerprint: string;
  /** Names of all files that were looked for, present or not. */
  sources: readonly string[];
}

export type PackageReading = { package: SkillPackage } | { skipped: SkippedSkill };

/** `__skill__<name>` must be a tool name of at most 64 characters. */
export const maxSkillName = 55;
const maxSkillMd = 512 * 1024;
const maxSibling = 128 * 1024;
const topLevelKeys = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']);
const skillNamePattern = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const listKeys = ['tags', 'search_aliases', 'depends', 'products'];
const textKeys = ['dcc', 'version', 'search_hint', 'layer', 'stage', 'intent'];

/** Reads `location`; `previous` is returned as it is when its files have not changed. */
export async function readPackage(location: string, previous?: SkillPackage): Promise<PackageReading> {
  const known: { name?: string; dcc?: string; tags?: string[] } = previous ? { name: previous.name } : {};
  try {
    const directory = await directoryOf(location);
    if (previous?.directory === directory && (await isUnchanged(previous))) return { package: previous };
    const texts = new Map<string, string>();
    const sources = new Set<string>();
    const read = async (name: string): Promise<string | undefined> => {
      sources.add(name);
      const text = await readText(directory, name, limitOf(name));
      if (text !== undefined) texts.set(name, text);
      return text;
    };

    const markdown = await read('SKILL.md');
    if (markdown === undefined) throw new Rejection('missing_skill_md', 'the directory has no SKILL.md');
    const { data, body } = await parseFrontmatter(markdown);
    const { front, own } = readFrontmatter(data, known);
    const unique = await readSiblings(directory, own, read);
    const { metadata, ...rest } = front;
    const settings = check(SkillMetadataSchema, unique.settings, 'invalid_frontmatter_shape', 'metadata.svc');
    const manifest: SkillManifest = {
      ...(settings as SkillMetadata),
      ...rest,
      ...joinGroups(unique.tools, unique.groups),
      metadata,
      body,
      files: [...texts.keys()],
    };
    return {
      package: { name: manifest.name, directory, manifest, fingerprint: fingerprintOf(texts), sources: [...sources] },
    };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { skipped: skipRecord(location, error.reason, error.message, known) };
  }
}

/** Compares texts, which costs a tenth of parsing them. */
async function isUnchanged({ directory, fingerprint, sources }: SkillPackage): Promise<boolean> {
  const texts = new Map<string, string>();
  for (const name of sources) {
    const text = await readText(directory, name, limitOf(name));
    if (text !== undefined) texts.set(name, text);
  }
  return fingerprintOf(texts) === fingerprint;
}

const limitOf = (name: string): number => (name === 'SKILL.md' ? maxSkillMd : maxSibling);

async function directoryOf(location: string): Promise<string> {
  try {
    if ((await stat(location)).isDirectory()) return await realpath(location);
    throw new Rejection('missing_skill_md', 'it is not a directory');
  } catch (error) {
    if (error instanceof Rejection) throw error;
    if (isMissing(error)) throw new Rejection('missing_skill_md', 'the directory does not exist');
    throw new Rejection('read_error', `the directory cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function readFrontmatter(
  data: Fields,
  known: { name?: string; dcc?: string; tags?: string[] },
): { front: SkillFrontmatter; own: Fields } {
  const metadata = data.metadata ?? {};
  const own = isFields(metadata)
    ? convert(convert(namespaceKeys(metadata), listKeys, asList), textKeys, asText)
    : ({} as Fields);
  if (typeof data.name === 'string' && data.name !== '') known.name = data.name.slice(0, 128);
  if (typeof own.dcc === 'string') known.dcc = own.dcc;
  if (Array.isArray(own.tags)) known.tags = own.tags.filter(each => typeof each === 'string').slice(0, 50);

  const foreign = Object.keys(data).filter(key => !topLevelKeys.has(key));
  if (foreign.length > 0) {
    throw new Rejection('non_spec_top_level_keys', `SKILL.md has top-level keys of its own: ${foreign.join(', ')}`);
  }
  const fields = convert(snakeKeys({ ...data, metadata }), ['allowed_tools'], value => asList(value, /[\s,]+/));
  const front = check(SkillFrontmatterSchema, fields, 'invalid_frontmatter_shape', 'SKILL.md') as SkillFrontmatter;
  if (front.name.length > maxSkillName) {
    throw new Rejection('name_too_long', `the name is longer than ${maxSkillName} characters`);
  }
  if (!skillNamePattern.test(front.name)) throw new Rejection('invalid_name', `"${front.name}" cannot name a skill`);
  return { front, own };
}

async function readSiblings(directory: string, own: Fields, read: (name: string) => Promise<string | undefined>) {
  const { tools: toolsKey, groups: groupsKey, ...rest } = own;
  const settings = convert(rest, ['allow_implicit_invocation'], asFlag);
  for (const key of ['prompts', 'resources', 'recipes', 'runtimes']) {
    const named = settings[key];
    // The files are read by the plugins that use them; here only that they lie inside. A glob has no real path.
    if (typeof named === 'string' && !/[*?]/.test(named)) await locate(directory, named);
    else if (typeof named === 'string' && named.split(/[\\/]/).includes('..')) {
      throw new Rejection('path_outside_directory', `"${key}" leads out of the package directory`);
    }
  }
  const sibling = async (key: unknown, fallback: string, reason: 'invalid_tools_yaml' | 'invalid_groups_yaml') => {
    if (Array.isArray(key)) return key as unknown;
    if (key !== undefined && typeof key !== 'string') throw new Rejection(reason, 'does not name a file');
    const name = key ?? fallback;
    const text = await read(name);
    if (text === undefined && key !== undefined) throw new Rejection(reason, `${basename(name)} does not exist`);
    return text === undefined ? undefined : parseYaml(text, reason, basename(name));
  };
  const toolsData = await sibling(toolsKey, 'tools.yaml', 'invalid_tools_yaml');
  const groupsData = await sibling(groupsKey, 'groups.yaml', 'invalid_groups_yaml');
  const inTools = isFields(toolsData) ? groupDeclarations(toolsData) : [];
  const depends = await readDepends(read);
  return {
    tools: toolDeclarations(toolsData),
    groups: groupsData === undefined ? inTools : groupDeclarations(groupsData),
    settings: depends.length > 0 ? { ...settings, depends: union(settings.depends, depends) } : settings,
  };
}

/** `metadata/depends.md`: a YAML list of skill names. */
async function readDepends(read: (name: string) => Promise<string | undefined>): Promise<unknown[]> {
  const text = await read('metadata/depends.md');
  const data = text === undefined ? [] : await parseYaml(text, 'invalid_frontmatter_yaml', 'metadata/depends.md');
  return Array.isArray(data) ? data : [];
}

const union = (declared: unknown, more: unknown[]): unknown[] => [
  ...new Set([...(Array.isArray(declared) ? declared : []), ...more]),
];

const fingerprintOf = (texts: ReadonlyMap<string, string>): string =>
  hash('sha256', [...texts].map(([name, text]) => `${name}\0${text.length}\0${text}`).join(''));
