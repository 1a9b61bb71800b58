/** A loaded skill as other plugins see it: the keys of its manifest, and bounded reads that stay inside its package. */
import { readdir } from 'node:fs/promises';
import type { SkillPackage } from './manifest.ts';
import { isMissing, locate, readBytes, readText } from './package-files.ts';
import { Rejection } from './rejection.ts';
import type { SourceLines } from './source-lines.ts';
import { parseYaml } from './yaml-text.ts';

/** Most files that one pattern may give. */
const mostFiles = 200;
const mostSegments = 8;
const largestFile = 128 * 1024;

/** What a loaded skill is made from, for plugins that publish more of a package than its tools. */
export interface LoadedSkill {
  readonly name: string;
  /** The manifest's keys in snake_case, with those of `metadata.svc`, unknown ones included. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Text of a file of the package, undefined when there is none; rejects for one outside it, too large or not UTF-8. */
  text(file: string): Promise<string | undefined>;
  /** Bytes of a file of the package, undefined when there is none; rejects as `text` does. */
  bytes(file: string, maxBytes: number): Promise<Buffer | undefined>;
  /** As `text`, parsed; rejects for YAML that is broken or too deep. */
  yaml(file: string): Promise<unknown>;
  /** Files that match `pattern` (`*` and `?` within a part of the path), sorted, with `/` between the parts. */
  files(pattern: string): Promise<string[]>;
}

export function loadedSkill({ name, directory, manifest }: SkillPackage, lines?: SourceLines): LoadedSkill {
  const text = (file: string): Promise<string | undefined> => readText(directory, file, largestFile);
  return {
    name,
    settings: manifest as unknown as Readonly<Record<string, unknown>>,
    text,
    bytes: (file, maxBytes) => readBytes(directory, file, maxBytes),
    async yaml(file) {
      const read = await text(file);
      return read === undefined ? undefined : parseYaml(read, 'read_error', file, { lines });
    },
    files: pattern => filesOf(directory, pattern),
  };
}

async function filesOf(directory: string, pattern: string): Promise<string[]> {
  const segments = pattern.split(/[\\/]/).filter(each => each !== '' && each !== '.');
  if (segments.length > mostSegments) throw new Rejection('read_error', `a pattern has at most ${mostSegments} parts`);
  let paths = [''];
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    const deeper = await Promise.all(paths.map(path => childrenOf(directory, path, segment, last)));
    paths = deeper.flat();
    if (paths.length > mostFiles) {
      throw new Rejection('read_error', `"${pattern.slice(0, 120)}" matches more than ${mostFiles} files`);
    }
  }
  return paths.sort();
}

async function childrenOf(directory: string, parent: string, segment: string, files: boolean): Promise<string[]> {
  const folder = await locate(directory, parent || '.');
  if (folder === undefined) return [];
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter(each => each.isSymbolicLink() || (files ? each.isFile() : each.isDirectory()))
      .filter(each => !each.name.startsWith('.') && matches(segment, each.name))
      .map(each => (parent ? `${parent}/${each.name}` : each.name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw new Rejection('read_error', `a folder cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Whether `name` is what `pattern` says; never slower than their lengths multiplied, however many `*` it has. */
export function matches(pattern: string, name: string): boolean {
  let [at, from] = [0, 0];
  let [star, resume] = [-1, 0];
  while (from < name.length) {
    if (pattern[at] === '*') {
      [star, resume] = [at, from];
      at += 1;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[from])) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      resume += 1;
      [at, from] = [star + 1, resume];
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
