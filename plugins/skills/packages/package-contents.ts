/**
 * A package as others may read it: its frontmatter as written, and its files with size and digest. Regular files that lie
 * in it under their own name and nothing else: a link, a hidden file or an installed dependency is no part of it.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseFrontmatter } from './frontmatter.ts';
import type { SkillPackage } from './manifest.ts';
import { isMissing } from './package-files.ts';
import { Rejection } from './rejection.ts';

export interface PackageFile {
  /** Relative to the package, `/` between its parts. */
  readonly path: string;
  /** Of its bytes, as `digest` is. */
  readonly size: number;
  /** SHA-256 in hexadecimal digits. */
  readonly digest: string;
}

export interface PackageContents {
  /** Of SKILL.md, every key as YAML reads it. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** All of them, SKILL.md among them, sorted. */
  readonly files: readonly PackageFile[];
}

export interface PackageChild {
  readonly name: string;
  readonly directory: boolean;
}

/** What plugins that show packages to others see of one; what it gives is read when it is asked for. */
export interface PackageFolder {
  readonly name: string;
  readonly description: string;
  /** Rejects when it cannot be read whole, or holds more than others need to take. */
  contents(): Promise<PackageContents>;
  /** The bytes of a file, undefined when there is none; rejects for one of more than `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Buffer | undefined>;
  /** What lies in a folder of it (`''` is its own), sorted; undefined when there is no such folder. */
  children(path: string): Promise<PackageChild[] | undefined>;
}

/** What hosts of Agent Skills must be able to take. */
const mostFiles = 512;
const mostBytes = 16 * 1024 * 1024;
const mostDepth = 16;
/** A file that was changed just before it was read may change again without a new time. */
const settledMs = 100;

interface Known extends PackageFile {
  changedAt: number;
  settled: boolean;
}

interface Kept {
  files: ReadonlyMap<string, Known>;
  frontmatter: PackageContents['frontmatter'];
}

/** By package as the catalogue has it: it is another object when its manifest changes, and gone with it. */
const known = new WeakMap<SkillPackage, Kept>();
const reading = new WeakMap<SkillPackage, Promise<PackageContents>>();

export function packageFolder(found: SkillPackage): PackageFolder {
  const { name, directory, manifest } = found;
  return {
    name,
    description: manifest.description,
    contents() {
      const begun = reading.get(found);
      if (begun) return begun;
      const work = contentsOf(found).finally(() => reading.delete(found));
      reading.set(found, work);
      return work;
    },
    async read(path, maxBytes) {
      const file = await openFile(directory, path);
      try {
        const stats = await file?.stat();
        if (!file || !stats?.isFile()) return undefined;
        if (stats.size > maxBytes) throw tooLarge(path, maxBytes);
        const bytes = await file.readFile();
        if (bytes.length > maxBytes) throw tooLarge(path, maxBytes);
        return bytes;
      } finally {
        await file?.close();
      }
    },
    children: path => childrenOf(directory, path),
  };
}

async function contentsOf(found: SkillPackage): Promise<PackageContents> {
  const before = known.get(found);
  const files = new Map<string, Known>();
  let bytes = 0;
  for (const path of await pathsOf(found.directory)) {
    const file = await describe(found.directory, path, before?.files.get(path), mostBytes - bytes);
    if (!file) continue;
    bytes += file.size;
    files.set(path, file);
  }
  const digest = files.get('SKILL.md')?.digest;
  const same = before !== undefined && digest === before.files.get('SKILL.md')?.digest;
  const frontmatter = same ? before.frontmatter : await frontmatterOf(found, digest);
  known.set(found, { files, frontmatter });
  return { frontmatter, files: [...files.values()].map(({ path, size, digest }) => ({ path, size, digest })) };
}

/** What the SKILL.md with that digest says. */
async function frontmatterOf(found: SkillPackage, digest: string | undefined): Promise<Kept['frontmatter']> {
  const text = digest === undefined ? undefined : await packageFolder(found).read('SKILL.md', mostBytes);
  if (!text) throw new Rejection('missing_skill_md', 'its SKILL.md is not a file of its own');
  if (createHash('sha256').update(text).digest('hex') !== digest) {
    throw new Rejection('read_error', 'its SKILL.md is being written: ask again');
  }
  return (await parseFrontmatter(text.toString('utf8'), { verbatim: true })).data;
}

/** Paths of all files, sorted. */
async function pathsOf(directory: string): Promise<string[]> {
  const paths: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    if (folder.split('/').length > mostDepth) throw tooMuch(`nests deeper than ${mostDepth} folders`);
    for (const child of (await childrenOf(directory, folder)) ?? []) {
      const path = folder === '' ? child.name : `${folder}/${child.name}`;
      (child.directory ? folders : paths).push(path);
    }
    if (paths.length > mostFiles || folders.length > mostFiles) throw tooMuch(`holds more than ${mostFiles} files`);
  }
  return paths.sort();
}

async function childrenOf(directory: string, path: string): Promise<PackageChild[] | undefined> {
  const folder = await ownPath(directory, path);
  if (folder === undefined) return undefined;
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter(each => (each.isFile() || each.isDirectory()) && isShown(each.name))
      .map(each => ({ name: each.name, directory: each.isDirectory() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(path || 'its folder', error);
  }
}

/** Size and digest of a file; undefined when it is gone. What was hashed before is not read again. */
async function describe(
  directory: string,
  path: string,
  before: Known | undefined,
  maxBytes: number,
): Promise<Known | undefined> {
  const file = await openFile(directory, path);
  if (!file) return undefined;
  try {
    const { size, ctimeMs } = await file.stat();
    if (size > maxBytes) throw tooMuch(`holds more than ${mostBytes} bytes`);
    if (before?.settled && before.size === size && before.changedAt === ctimeMs) return before;
    const settled = Date.now() - ctimeMs > settledMs;
    const sum = createHash('sha256');
    let length = 0;
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      sum.update(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length > maxBytes) throw tooMuch(`holds more than ${mostBytes} bytes`);
    }
    return { path, size: length, digest: sum.digest('hex'), changedAt: ctimeMs, settled };
  } finally {
    await file.close();
  }
}

/** Opens a regular file of the package; never waits for a writer, as opening a pipe would. */
async function openFile(directory: string, path: string): Promise<FileHandle | undefined> {
  const own = path === '' ? undefined : await ownPath(directory, path);
  if (own === undefined) return undefined;
  try {
    if (!(await stat(own)).isFile()) return undefined;
    return await open(own, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(path, error);
  }
}

/** Where `path` lies, when it is there under that very name: no link on the way, nothing that is not shown. */
async function ownPath(directory: string, path: string): Promise<string | undefined> {
  const wanted = join(directory, path);
  if (path !== '' && !path.split('/').every(isShown)) return undefined;
  const real = await realpath(wanted).catch(() => undefined);
  return real === wanted ? wanted : undefined;
}

/** Hidden files may hold secrets, folders of dependencies what no one wrote; the rest has no URI that leads back to it. */
const isShown = (name: string): boolean =>
  /^[^.\p{Cc}\\%][^\p{Cc}\\%]*$/u.test(name) && name !== 'node_modules' && name !== '__pycache__';

const tooMuch = (what: string) => new Rejection('read_error', `it ${what}, more than a host must take of a skill`);
const tooLarge = (path: string, most: number) => new Rejection('read_error', `${path} is larger than ${most} bytes`);
const unreadable = (path: string, error: unknown) =>
  new Rejection('read_error', `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
