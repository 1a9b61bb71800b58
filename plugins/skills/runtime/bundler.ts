/** Makes one ES module of a skill's tool files and all they import, in the server's cache directory, named by content. */
import { hash as hashOf } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Metafile } from 'esbuild';
import { type Logger, packageRoot, packageVersion, writeWhole } from '../../../kernel/index.ts';
import { messageOf } from '../../../schemas/thrown.ts';
import { createBundleCache } from './bundle-cache.ts';
import { compile, entryName, holdCompiler } from './bundle-compile.ts';
import { runtimeErrors } from './runtime-errors.ts';

export interface Bundle {
  /** Absolute path and URL of the bundled module. */
  file: string;
  url: string;
  /** SHA-256 of its text. */
  hash: string;
  /** Absolute paths of every source file, transitive modules and dependencies included. */
  inputs: readonly string[];
  /** A path as the skill's author knows it: relative to the skill, with `/`. */
  relative(path: string): string;
  /** The first `file:line:column` of the skill in a stack; empty when it names none. */
  locate(stack: string): string;
}

export interface BundleRequest {
  skill: string;
  directory: string;
  /** Tool name -> absolute path: exported as `tools`. Without: `script` alone is run. */
  tools?: ReadonlyMap<string, string>;
  script?: string;
}

export type Bundler = ReturnType<typeof createBundler>;

export interface BundlerDeps {
  cacheDir: string;
  /** Nobody chose that directory: a temporary one serves when it cannot be written. */
  cacheMayMove?: boolean;
  log: Logger;
  /** What a single build may take. */
  timeoutMs?: number;
}

/** A package of thousands of modules takes a few seconds. */
const longestBuildMs = 60_000;

export function createBundler({ cacheDir, cacheMayMove, log, timeoutMs = longestBuildMs }: BundlerDeps) {
  let folder = join(cacheDir, 'skills');
  let cache = createBundleCache(folder);
  let temporary: string | undefined;
  let moved: Promise<void> | undefined;
  const building = new Map<string, Promise<Bundle>>();
  let release: (() => Promise<void>) | undefined;
  let pruned = false;

  /** To a directory that only this user reads, gone with this bundler. */
  const moveCache = async ({ code }: NodeJS.ErrnoException): Promise<void> => {
    temporary = await mkdtemp(join(tmpdir(), 'svc-skills-'));
    log.warn(
      { cache_dir: cacheDir, reason: code, instead: temporary },
      'the cache directory cannot be written: bundles of skills go to a temporary one, until cache_dir names another',
    );
    folder = temporary;
    cache = createBundleCache(folder);
  };

  const build = async (request: BundleRequest, key: string): Promise<Bundle> => {
    const known = await cache.find(key);
    if (known) return describe(request, known.file, known.hash, known.inputs);
    release ??= holdCompiler();
    const startedAt = Date.now();
    const { text, metafile } = await compile({
      ...request,
      ...{ contents: entry(request), nodePaths: dependencyFolders(), timeoutMs },
    });
    const hash = hashOf('sha256', text);
    const inputs = inputPaths(metafile, request.directory);
    const keep = async (): Promise<string> => {
      const path = join(folder, `${safeName(request.skill)}-${hash.slice(0, 24)}.mjs`);
      // It is run: nobody else may write there.
      await writeWhole(path, text, { mode: 0o600, folderMode: 0o700 });
      await cache.store(key, { file: path, hash, inputs }, startedAt);
      return path;
    };
    const file = await keep().catch(async (error: NodeJS.ErrnoException) => {
      const refused = unwritable(request.skill, error);
      if (!cacheMayMove) throw refused;
      moved ??= moveCache(error);
      return moved.then(keep).catch(() => Promise.reject(refused));
    });
    if (!pruned) {
      pruned = true;
      void cache.prune().catch((error: unknown) => log.warn({ err: error }, 'old skill bundles could not be removed'));
    }
    return describe(request, file, hash, inputs);
  };

  return {
    /** Rejects with SVC_SKILLS_RUNTIME_BUILD_FAILED. A load of unchanged files costs no build. */
    async bundle(request: BundleRequest): Promise<Bundle> {
      const key = keyOf(request);
      // Two loads of the same files at once share one build.
      const promise = building.get(key) ?? build(request, key).finally(() => building.delete(key));
      building.set(key, promise);
      try {
        return await promise;
      } catch (error) {
        if ((error as { code?: string }).code?.startsWith('SVC_')) throw error;
        throw runtimeErrors.BUILD_FAILED({ skill: request.skill, reason: withoutPaths(error, request, folder) }, error);
      }
    },
    async dispose(): Promise<void> {
      await Promise.allSettled(building.values());
      if (temporary) await rm(temporary, { recursive: true, force: true });
      await release?.();
      release = undefined;
    },
  };
}

const unwritable = (skill: string, cause: NodeJS.ErrnoException): Error => {
  const why = cause.code ?? cause.message;
  const reason = `its bundle cannot be written to the cache directory (${why}): name another with cache_dir`;
  return runtimeErrors.BUILD_FAILED({ skill, reason }, cause);
};

function entry({ tools, script }: BundleRequest): string {
  if (!tools) return `import ${JSON.stringify(script)};\n`;
  const files = [...tools];
  const imports = files.map(([, path], index) => `import * as tool${index} from ${JSON.stringify(path)};`);
  const members = files.map(([name], index) => `  [${JSON.stringify(name)}]: tool${index},`);
  return `${imports.join('\n')}\nexport const tools = {\n${members.join('\n')}\n};\n`;
}

function keyOf({ skill, directory, tools, script }: BundleRequest): string {
  const identity = [packageVersion, process.version, packageRoot, skill, directory, [...(tools ?? [])], script];
  return hashOf('sha256', JSON.stringify(identity)).slice(0, 32);
}

function describe({ directory }: BundleRequest, file: string, hash: string, inputs: readonly string[]): Bundle {
  const toRelative = (path: string): string => relative(directory, path).split(sep).join('/');
  return {
    file,
    url: pathToFileURL(file).href,
    hash,
    inputs,
    relative: toRelative,
    locate(stack) {
      for (const [, path = '', position = ''] of stack.matchAll(
        /(?:file:\/\/|\(|at )((?:[A-Za-z]:)?[\\/][^():\n]*)(:\d+:\d+)/g,
      )) {
        const found = resolve(decodeURI(path));
        if (found.startsWith(directory + sep)) return toRelative(found) + position;
      }
      return '';
    },
  };
}

function inputPaths(metafile: Metafile, directory: string): string[] {
  return Object.keys(metafile.inputs)
    .filter(name => name !== entryName && !/^[\w(][\w()-]+:(?![\\/])/.test(name))
    .map(name => resolve(directory, name))
    .sort();
}

/** Every `node_modules` that svc itself resolves from, so that bundled skills may use what svc depends on. */
export function dependencyFolders(): string[] {
  const folders: string[] = [];
  for (let folder = packageRoot; ; folder = dirname(folder)) {
    folders.push(join(folder, 'node_modules'));
    if (dirname(folder) === folder) return folders;
  }
}

const safeName = (skill: string): string => skill.replace(/[^\w.-]/g, '_').slice(0, 64);

function withoutPaths(error: unknown, { directory }: BundleRequest, folder: string): string {
  const message = messageOf(error);
  return message
    .replaceAll(directory + sep, '')
    .replaceAll(directory, '.')
    .replaceAll(folder, '<cache>');
}
