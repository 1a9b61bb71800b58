/**
 * esbuild plugin: what a start does not need stands aside, in files of its own that are read when it is first used. The
 * bundle's static imports are all read, parsed and run, whether they are needed or not; and a dynamic `import` would make
 * whoever uses them wait. `dist/aside/` is `#aside/` to the code of the package.
 */
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const root = resolve(import.meta.dirname, '..');

/** Modules of ours that export functions only: whoever needs one of them loads the module. */
const modules: readonly string[] = ['schemas/meta-schema.ts'];
/** Packages that are imported as functions and classes, whose instances nobody is asked to be with `instanceof`. */
const packages: readonly string[] = ['yaml'];
/** Packages that others load where they use them, and that a server does not need: it brings its own. */
const unused: readonly string[] = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'];

const fileOf = (name: string): string => `${name.replaceAll(/^@|\.ts$/g, '').replaceAll(/\W+/g, '-')}.cjs`;

/** The folder of what stands aside, of a build. */
export const asideOf = ({ outdir, outfile }: BuildOptions): string => join(outdir ?? dirname(String(outfile)), 'aside');

/** Makes `file` aside out of the text of a module. */
export async function putAside(folder: string, file: string, contents: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile: join(folder, file),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  return Object.keys(metafile.inputs);
}

/** An ES module whose exports are read from a file aside when they are called or constructed. */
export function standsFor(file: string, names: readonly string[]): string {
  const stand = (name: string): string =>
    `export function ${name}(...args) { const real = aside().${name}; return new.target ? new real(...args) : real(...args); }`;
  return [
    "import { createRequire } from 'node:module';",
    'const read = createRequire(import.meta.url);',
    `const aside = () => read('#aside/${file}');`,
    ...names.map(stand),
  ].join('\n');
}

const functionsOf = (exports: object): string[] =>
  Object.entries(exports).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));

/** Replaces them in the bundle; `inputs` gets the files that went aside. */
export const asidePlugin = (inputs: Set<string>): Plugin => ({
  name: 'aside',
  setup(build) {
    const folder = asideOf(build.initialOptions);
    const put = async (name: string, text: string): Promise<void> => {
      for (const each of await putAside(folder, fileOf(name), text)) inputs.add(each);
    };
    build.onStart(async () => {
      for (const name of packages) await put(name, `export * from '${name}';`);
      for (const name of unused) await put(name, `module.exports = require('${name}');`);
      for (const name of modules) await put(name, `export * from './${name}';`);
    });
    const all = [...packages, ...unused].map(each => each.replaceAll('/', '\\/')).join('|');
    build.onResolve({ filter: new RegExp(`^(?:${all})$`) }, ({ kind, path }) => {
      if (kind === 'require-call') return { path: `#aside/${fileOf(path)}`, external: true };
      // Who awaits a package has a chunk of it already.
      return kind === 'import-statement' ? { path, namespace: 'aside', sideEffects: false } : undefined;
    });
    build.onLoad({ filter: /./, namespace: 'aside' }, ({ path }) => ({
      contents: standsFor(fileOf(path), functionsOf(createRequire(import.meta.url)(path))),
    }));
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const name = relative(root, path).split(sep).join('/');
      if (!modules.includes(name)) return undefined;
      return { contents: standsFor(fileOf(name), functionsOf(await import(pathToFileURL(path).href))) };
    });
  },
});
