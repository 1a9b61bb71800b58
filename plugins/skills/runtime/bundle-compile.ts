/** The one place that talks to esbuild: options, the meaning of `import.meta.url`, and its messages as one sentence. */
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader, Message, Metafile, Plugin } from 'esbuild';
import { isRegular, readRegular } from '../packages/package-files.ts';
import { runtimeErrors } from './runtime-errors.ts';

export interface CompileRequest {
  skill: string;
  directory: string;
  /** Source of the synthetic entry. */
  contents: string;
  nodePaths: string[];
  timeoutMs: number;
}

/** Name of the synthetic entry in messages. */
export const entryName = 'svc-entry.js';

type Esbuild = typeof import('esbuild');
let loaded: Promise<Esbuild> | undefined;

/** Imported on first use: a server whose skills are all scripts, or all cached, never starts it. */
const esbuild = (): Promise<Esbuild> => {
  loaded ??= import('esbuild');
  return loaded;
};

let holders = 0;

/** The compiler is one process for all who use it in this thread: the last one ends it, a later use starts a new one. */
export function holdCompiler(): () => Promise<void> {
  holders += 1;
  let held = true;
  return async () => {
    if (!held) return;
    held = false;
    holders -= 1;
    if (holders === 0 && loaded) await (await loaded).stop();
  };
}

export async function compile(request: CompileRequest): Promise<{ text: string; metafile: Metafile }> {
  try {
    const { outputFiles, metafile } = await buildOf(request);
    return { text: outputFiles[0]?.text ?? '', metafile };
  } catch (error) {
    const messages = (error as { errors?: Message[] }).errors;
    if (!messages) throw error;
    throw runtimeErrors.BUILD_FAILED({ skill: request.skill, reason: sentence(messages, request.directory) });
  }
}

/** What the compiler says of it; locations in the entry are those of `contents`. */
export async function compilerMessages(request: CompileRequest): Promise<{ errors: Message[]; warnings: Message[] }> {
  try {
    const { warnings } = await buildOf(request);
    return { errors: [], warnings };
  } catch (error) {
    const { errors, warnings = [] } = error as { errors?: Message[]; warnings?: Message[] };
    if (!errors) throw error;
    return { errors, warnings };
  }
}

async function buildOf({ skill, directory, contents, nodePaths, timeoutMs }: CompileRequest) {
  const { build } = await esbuild();
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      const reason = `it took longer than ${timeoutMs / 1000} s`;
      timer = setTimeout(() => reject(runtimeErrors.BUILD_FAILED({ skill, reason })), timeoutMs);
    });
    const built = build({
      stdin: { contents, resolveDir: directory, sourcefile: entryName, loader: 'js' },
      absWorkingDir: directory,
      outfile: join(directory, 'svc-bundle.mjs'),
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      charset: 'utf8',
      sourcemap: 'inline',
      // Node only maps positions; the text would double the file.
      sourcesContent: false,
      sourceRoot: pathToFileURL(directory + sep).href,
      legalComments: 'none',
      logLevel: 'silent',
      // A module saved half-way has no exports yet: that must fail the build, not answer with undefined.
      logOverride: { 'import-is-undefined': 'error' },
      nodePaths,
      // The realm is the skill's own, so the CommonJS parts of a bundle may find `require` where they look for it.
      banner: {
        js:
          "import { createRequire as svcCreateRequire } from 'node:module';" +
          `globalThis.require ??= svcCreateRequire(${JSON.stringify(pathToFileURL(join(directory, 'svc-bundle.mjs')).href)});`,
      },
      plugins: [regularFiles, originalLocations, nativeModules],
    });
    return await Promise.race([built, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What is no file must not be read: a pipe would keep the compiler waiting for ever. */
const regularFiles: Plugin = {
  name: 'regular-files',
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /./, namespace: 'file' }, async ({ path }) =>
      (await isRegular(path)) ? undefined : { errors: [{ text: `${path} is not a regular file` }] },
    );
  },
};

const loaders: Record<string, Loader> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.jsx': 'jsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
};

/** In a bundle `import.meta.url`, `__dirname` and their like must still mean the source file, for assets beside it. */
const originalLocations: Plugin = {
  name: 'original-locations',
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: 'file' }, async ({ path }) => {
      const source = (await readRegular(path)).toString('utf8');
      if (!/import\.meta|__dirname|__filename/.test(source)) return undefined;
      const loader = loaders[extname(path)] ?? 'js';
      const { transform } = await esbuild();
      const text = JSON.stringify;
      try {
        const { code } = await transform(source, {
          loader,
          target: 'node20',
          charset: 'utf8',
          sourcemap: 'inline',
          sourcesContent: false,
          sourcefile: path,
          logLevel: 'silent',
          define: {
            'import.meta.url': text(pathToFileURL(path).href),
            'import.meta.dirname': text(dirname(path)),
            'import.meta.filename': text(path),
            __dirname: text(dirname(path)),
            __filename: text(path),
          },
        });
        return {
          contents: code,
          loader: loader === 'jsx' || loader === 'tsx' ? 'jsx' : 'js',
          resolveDir: dirname(path),
        };
      } catch (error) {
        return { errors: (error as { errors?: Message[] }).errors ?? [{ text: String(error) }] };
      }
    });
  },
};

/** Native addons cannot be bundled: they are required from where they lie. */
const nativeModules: Plugin = {
  name: 'native-modules',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /\.node$/ }, ({ path, resolveDir }) =>
      path.startsWith('.') || isAbsolute(path) ? { path: resolve(resolveDir, path), external: true } : undefined,
    );
  },
};

/** The first three messages as `file:line:column: text`, without absolute paths. */
function sentence(messages: Message[], directory: string): string {
  const shown = messages.slice(0, 3).map(({ location, text }) => {
    const clean = text.replaceAll(directory + sep, '').replaceAll(directory, '.');
    if (!location || location.file === entryName) return clean;
    const path = relative(directory, resolve(directory, location.file)).split(sep).join('/');
    return `${path}:${location.line}:${location.column + 1}: ${clean}`;
  });
  const more = messages.length > shown.length ? `; and ${messages.length - shown.length} more errors` : '';
  return shown.join('; ') + more;
}
