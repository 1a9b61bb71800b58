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
import { joinGroups } from './declarations.ts';
import { parseFrontmatter } from './frontmatter.ts';
import { asList, asText, convert, type Fields, isFields, namespaceKeys, snakeKeys } from './manifest-keys.ts';
import { longestName, skillName } from './names.ts';
import { isMissing, readText } from './package-files.ts';
import {
  createFindings,
  type Finding,
  type MissingTool,
  Rejection,
  type SkillFinding,
  type SkippedSkill,
  skipRecord,
  type Warn,
} from './rejection.ts';
import { type PackageReview, reviewed } from './review.ts';
import { isBroken, type ScriptHead, scriptHeads } from './script-tools.ts';
import { check } from './shape.ts';
import { readSiblings } from './siblings.ts';
import type { SourceLines } from './source-lines.ts';

export interface SkillManifest extends Omit<SkillFrontmatter, 'metadata'>, SkillMetadata {
  tools: SkillToolDeclaration[];
  groups: SkillGroupDeclaration[];
  /** `metadata` as written. */
  metadata: Fields;
  /** The guidance below the frontmatter. */
  body: string;
  /** Names of the files the manifest was read from, relative to the directory. */
  files: string[];
  /** What was ignored, or left out: the rest counts. */
  warnings: SkillFinding[];
  /** Declared tools that are none. */
  missing: MissingTool[];
  /** A declaration file that could not be used as a whole. */
  unread?: Finding;
  /** Digests of what it says, and remarks on that. */
  review: PackageReview;
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

const maxSkillMd = 512 * 1024;
const maxSibling = 512 * 1024;
/** Stands among the files for the listing of a package's scripts, with the beginning of each. */
const scriptsFolder = 'scripts/';
const topLevelKeys = new Set([
  ...['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools', 'allowed_tools'],
]);
const listKeys = ['tags', 'search_aliases', 'depends', 'products', 'provides', 'example_prompts'];
const textKeys = ['dcc', 'version', 'python', 'search_hint', 'layer', 'stage', 'intent'];

/**
 * Reads `location`; `previous` is returned as it is when its files have not changed. With `lines` everything that is
 * found wrong is told with its place.
 */
export async function readPackage(
  location: string,
  previous?: SkillPackage,
  lines?: SourceLines,
): Promise<PackageReading> {
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
    const scripts = async (): Promise<readonly ScriptHead[]> => {
      sources.add(scriptsFolder);
      const heads = await scriptHeads(directory, warn);
      if (heads.length > 0) texts.set(scriptsFolder, JSON.stringify(heads));
      return heads;
    };

    const markdown = await read('SKILL.md');
    if (markdown === undefined) throw new Rejection('missing_skill_md', 'the directory has no SKILL.md');
    const { data, body } = await parseFrontmatter(markdown, { lines });
    const { list: warnings, warn } = createFindings(lines);
    const { front, own } = readFrontmatter(data, { known, warn, body, fallback: basename(directory) });
    const about = `[${front.name}] ${front.description}`;
    const { tools, groups, settings, missing, unread } = await readSiblings(
      { directory, read, scripts, about, warn, lines },
      own,
    );
    const { metadata, ...rest } = front;
    const said = {
      ...check<SkillMetadata>(settings, {
        ...{ schema: SkillMetadataSchema, reason: 'invalid_frontmatter_shape', label: 'metadata.svc' },
        ...{ warn: inMarkdown(warn), steps: ['metadata', 'svc'] },
        // An isolation that is not known cannot be kept.
        needed: ['isolation'],
      }),
      ...rest,
      ...joinGroups(tools, groups),
      ...{ metadata, body, files: [...texts.keys()], warnings, missing },
      ...(unread && { unread }),
    };
    const manifest: SkillManifest = reviewed(said, warn);
    return {
      package: { name: manifest.name, directory, manifest, fingerprint: fingerprintOf(texts), sources: [...sources] },
    };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return {
      skipped: {
        ...skipRecord(location, error.reason, error.message, known),
        ...lines?.place({ file: 'SKILL.md', ...error.place }),
      },
    };
  }
}

/** Compares texts, which costs a tenth of parsing them. */
async function isUnchanged({ directory, fingerprint, sources }: SkillPackage): Promise<boolean> {
  const texts = new Map<string, string>();
  for (const name of sources) {
    if (name === scriptsFolder) {
      const heads = await scriptHeads(directory);
      if (heads.length > 0) texts.set(name, JSON.stringify(heads));
      continue;
    }
    // What could not be read then may be readable now, and the other way round.
    const text = await readText(directory, name, limitOf(name)).catch((error: unknown) => {
      if (error instanceof Rejection) return undefined;
      throw error;
    });
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
    if (isMissing(error) && isBroken(basename(location))) {
      throw new Rejection('invalid_name', 'the name of the directory is not UTF-8 text');
    }
    if (isMissing(error)) throw new Rejection('missing_skill_md', 'the directory does not exist');
    throw new Rejection('read_error', `the directory cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

const inMarkdown =
  (warn: Warn): Warn =>
  (reason, message, place) =>
    warn(reason, message, { file: 'SKILL.md', ...place });

interface FrontmatterContext {
  /** Takes what a refusal should tell. */
  known: { name?: string; dcc?: string; tags?: string[] };
  warn: Warn;
  body: string;
  /** Name of a package that gives itself none. */
  fallback: string;
}

function readFrontmatter(data: Fields, context: FrontmatterContext): { front: SkillFrontmatter; own: Fields } {
  const { known, body, fallback } = context;
  const warn = inMarkdown(context.warn);
  const reason = 'invalid_frontmatter_shape';
  const inside = data.metadata ?? {};
  const metadata = isFields(inside) ? inside : {};
  if (inside !== metadata)
    warn(reason, 'SKILL.md: "metadata" is not a mapping; the key is ignored', { steps: ['metadata'] });
  // Where the examples of the Agent Skills format have a version.
  const { version } = metadata;
  const named = { ...(version !== undefined && { version }), ...namespaceKeys(metadata) };
  const own = convert(convert(named, listKeys, asList), textKeys, asText);
  if (typeof data.name === 'string' && data.name !== '') known.name = data.name.slice(0, 128);
  if (typeof own.dcc === 'string') known.dcc = own.dcc;
  if (Array.isArray(own.tags)) known.tags = own.tags.filter(each => typeof each === 'string').slice(0, 50);

  const foreign = Object.keys(data).filter(key => !topLevelKeys.has(key));
  if (foreign.length > 0) {
    const message = `SKILL.md has top-level keys of its own: ${foreign.join(', ')}`;
    throw new Rejection('non_spec_top_level_keys', message, { file: 'SKILL.md', steps: foreign.slice(0, 1) });
  }
  const listed = convert(snakeKeys({ ...data, metadata }), ['allowed_tools'], value => asList(value, /[\s,]+/));
  const fields = convert(listed, ['description', 'license', 'compatibility'], asText);
  if (typeof fields.description !== 'string' || fields.description.trim() === '') {
    warn(reason, 'SKILL.md has no description: its first sentence stands for it');
    fields.description = firstSentence(body) ?? `The skill ${String(data.name)}.`;
  }
  const wanted = data.name === '' ? fallback : data.name;
  const name = typeof wanted === 'string' ? skillName(wanted, fallback) : wanted;
  const part = { schema: SkillFrontmatterSchema, reason, label: 'SKILL.md', needed: ['name'], warn } as const;
  const front = check<SkillFrontmatter>({ ...fields, name }, part);
  if (front.name === wanted) return { front, own };
  const given = String(wanted);
  const told = `"${given.slice(0, 80)}" cannot name a skill: it is called "${front.name}" here`;
  warn(given.length > longestName ? 'name_too_long' : 'invalid_name', told, { steps: ['name'] });
  return { front, own: { ...own, provides: [...(Array.isArray(own.provides) ? own.provides : []), wanted] } };
}

const firstSentence = (body: string): string | undefined =>
  /^(?![#>`|<-]).*\S.*$/m.exec(body)?.[0].trim().slice(0, 300) || undefined;

const fingerprintOf = (texts: ReadonlyMap<string, string>): string =>
  hash('sha256', [...texts].map(([name, text]) => `${name}\0${text.length}\0${text}`).join(''));
