/**
 * The second step of the bundle. The first splits the sources into many chunks; here, those that a server reads at every
 * start become packs: one script each, which is read at once and whose compiled code can be kept (`cli/packs.ts`). The
 * other files import from the packs. A file that starts less than a server loads less: there is a pack for each of `tiers`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { posix, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import ts from 'typescript';

/** Entry points of the first step by the pack of their chunks, the lighter first. The last one has all that a start reads. */
const tiers: Readonly<Record<string, RegExp>> = {
  threads: /^(?:plugins\/index\.ts|plugins\/.*(?:worker|rows|reader|thread)\.ts)$/,
  programs: /^cli\/[^/]+\.ts$/,
  commands: /^cli\/(?:svc-cli\/)?commands\/(?!serve|gateway|tunnel|relay|host|skills)/,
  server:
    /^(?:cli\/svc-server\.ts|cli\/commands\/serve\.ts|kernel\/(?:index|core)\.ts|rooms:(?:instance|shared)-plugins|.*\/operations\.ts|.*@fastify\/sse\/.*)$/,
};

type Outputs = Metafile['outputs'];

const staticImports = (outputs: Outputs, file: string): string[] =>
  (outputs[file]?.imports ?? [])
    .filter(each => each.kind === 'import-statement' && !each.external)
    .map(({ path }) => path);

function closure(outputs: Outputs, from: readonly string[]): Set<string> {
  const found = new Set(from);
  for (const file of found) for (const each of staticImports(outputs, file)) found.add(each);
  return found;
}

/** Chunks by the name of their pack. What a chunk imports is in its own pack or in a lighter one. */
export function packsOf(outputs: Outputs): Map<string, string[]> {
  const entries = Object.entries(outputs).flatMap(([file, { entryPoint }]) =>
    entryPoint ? [{ file, entryPoint }] : [],
  );
  const reached = Object.entries(tiers).map(([name, entry]) => {
    const from = entries.filter(({ entryPoint }) => entry.test(entryPoint)).map(({ file }) => file);
    if (from.length === 0) throw new Error(`nothing is an entry of the pack ${name}`);
    return { name, files: closure(outputs, from) };
  });
  const started = reached.at(-1)?.files ?? new Set();
  const taken = new Set<string>();
  return new Map(
    reached.map(({ name, files }) => {
      // A program and a command stay files, which are run by their path.
      const own = [...files].filter(file => started.has(file) && file.includes('/chunks/') && !taken.has(file));
      for (const file of own) taken.add(file);
      return [name, own];
    }),
  );
}

const loadName = 'svcUse';

const parsed = (text: string): ts.SourceFile =>
  ts.createSourceFile('chunk.js', text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS);

/** `import(...)` becomes a call of the same length, so that the source map stays true; `stays` are bundled. */
export function withLoad(text: string, stays: (specifier: string) => boolean): string {
  const at: number[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (!(specifier && ts.isStringLiteral(specifier) && stays(specifier.text))) at.push(node.expression.end);
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed(text));
  let [changed, from] = ['', 0];
  for (const end of at) {
    changed += text.slice(from, end - 'import'.length) + loadName;
    from = end;
  }
  return changed + text.slice(from);
}

const isAssignment = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

/** Exports that a function of the module assigns: a pack gives the values that it had when it was loaded. */
export function assignedLater(text: string): string[] {
  const source = parsed(text);
  const clauses = source.statements.flatMap(each => (ts.isExportDeclaration(each) ? (each.exportClause ?? []) : []));
  const exported = new Set(
    clauses.flatMap(each =>
      ts.isNamedExports(each) ? each.elements.map(one => (one.propertyName ?? one.name).text) : [],
    ),
  );
  const found = new Set<string>();
  const targetOf = (node: ts.Node): ts.Node | undefined => {
    if (ts.isPostfixUnaryExpression(node)) return node.operand;
    if (ts.isPrefixUnaryExpression(node)) {
      return [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken].includes(node.operator)
        ? node.operand
        : undefined;
    }
    return ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind) ? node.left : undefined;
  };
  const visit = (node: ts.Node, inside: boolean): void => {
    const target = inside ? targetOf(node) : undefined;
    if (target && ts.isIdentifier(target) && exported.has(target.text)) found.add(target.text);
    ts.forEachChild(node, each => visit(each, inside || ts.isFunctionLike(node)));
  };
  visit(source, false);
  return [...found];
}

/** A module that takes its exports from a pack. They are values: what a chunk exports is not assigned later. */
function taken(access: string, file: string, names: readonly string[]): string {
  return [
    `const taken = ${access}[${JSON.stringify(posix.basename(file))}];`,
    ...names.map((name, index) => `const taken${index} = taken.${name};`),
    `export { ${names.map((name, index) => `taken${index} as ${name}`).join(', ')} };`,
  ].join('\n');
}

interface FirstStep {
  root: string;
  outdir: string;
  outputs: Outputs;
  texts: ReadonlyMap<string, string>;
  packOf: ReadonlyMap<string, string>;
}

const fileAt = (from: string, specifier: string): string => posix.join(posix.dirname(from), specifier);

/** The files of the first step, read from memory. `own` is the pack that is made, if one is. */
function chunksPlugin({ outdir, outputs, texts, packOf }: FirstStep, own: string | undefined): Plugin {
  const inOwn = (file: string): boolean => own !== undefined && packOf.get(file) === own;
  return {
    name: 'chunks',
    setup(build) {
      build.onResolve({ filter: /^svc:/ }, ({ path }) => ({ path: path.slice('svc:'.length), namespace: 'chunk' }));
      build.onResolve({ filter: /./, namespace: 'chunk' }, ({ path, importer }) => {
        if (!path.startsWith('.')) return { path, external: true };
        const file = fileAt(importer, path);
        if (inOwn(file)) return { path: file, namespace: 'chunk' };
        return packOf.has(file)
          ? { path: `${posix.dirname(importer)}|${file}`, namespace: 'taken' }
          : { path, external: true };
      });
      build.onResolve({ filter: /./, namespace: 'taken' }, ({ path }) => ({ path, external: true }));
      build.onLoad({ filter: /./, namespace: 'chunk' }, ({ path: file }) => {
        const text = texts.get(file);
        if (text === undefined) throw new Error(`no chunk ${file}`);
        if (own === undefined && packOf.has(file)) return load(file, posix.dirname(file));
        if (own === undefined) return { contents: text };
        const later = assignedLater(text);
        if (later.length > 0) throw new Error(`${file} assigns its exports ${later.join(', ')} later`);
        return { contents: withLoad(text, each => inOwn(fileAt(file, each))) };
      });
      build.onLoad({ filter: /./, namespace: 'taken' }, ({ path }) => {
        const [folder = '', file = ''] = path.split('|');
        return load(file, folder);
      });
      function load(file: string, folder: string) {
        const name = JSON.stringify(packOf.get(file));
        const names = outputs[file]?.exports ?? [];
        if (own !== undefined) return { contents: taken(`svcPack(${name})`, file, names) };
        const packs = posix.relative(folder, `${outdir}/chunks/packs.js`);
        const from = JSON.stringify(packs.startsWith('.') ? packs : `./${packs}`);
        return { contents: `import { pack } from ${from};\n${taken(`pack(${name})`, file, names)}` };
      }
    },
  };
}

// V8 gives a script the code that was kept for it when it is told nothing else.
const opening = `(function(module,require,__filename,__dirname,svcUrl,${loadName},svcPack){"use strict";var exports=module.exports;`;

/** What esbuild leaves as it is: the characters of patterns. */
const asAscii = (text: string): string =>
  text.replaceAll(/[^\0-\x7F]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

async function makePack(step: FirstStep, name: string, files: readonly string[], options: BuildOptions): Promise<void> {
  const outfile = resolve(step.root, step.outdir, 'chunks', `pack-${name}.cjs`);
  await build({
    ...options,
    stdin: {
      contents: files
        .map(file => `export * as ${JSON.stringify(posix.basename(file))} from ${JSON.stringify(`svc:${file}`)};`)
        .join('\n'),
      resolveDir: step.root,
    },
    outfile,
    format: 'cjs',
    define: { 'import.meta.url': 'svcUrl', 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    banner: { js: opening },
    footer: { js: '})' },
    plugins: [chunksPlugin(step, name)],
  });
  await writeFile(outfile, asAscii(await readFile(outfile, 'utf8')));
}

/** Writes what the first step made, `files`, as packs and as the files that import from them. */
export async function writePacked(
  { outputFiles, metafile }: { outputFiles: readonly OutputFile[]; metafile: Metafile },
  { root, outdir, banner }: { root: string; outdir: string; banner: string },
): Promise<Metafile> {
  const { outputs } = metafile;
  const packs = packsOf(outputs);
  const nameOf = (path: string): string => relative(root, path).replaceAll('\\', '/');
  const step: FirstStep = {
    ...{ root, outdir: nameOf(resolve(root, outdir)), outputs },
    texts: new Map(outputFiles.map(({ path, text }) => [nameOf(path), text])),
    packOf: new Map([...packs].flatMap(([name, files]) => files.map(file => [file, name] as const))),
  };
  const options: BuildOptions = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
  };
  await build({
    ...options,
    entryPoints: ['cli/packs.ts'],
    outfile: resolve(root, outdir, 'chunks/packs.js'),
    format: 'esm',
  });
  for (const [name, files] of packs) await makePack(step, name, files, options);
  // Of a chunk in a pack, a file stays where an `import()` names it.
  const files = Object.keys(outputs).filter(file => !step.packOf.has(file) || outputs[file]?.entryPoint);
  const written = await build({
    ...options,
    entryPoints: files.map(file => ({ in: `svc:${file}`, out: relative(step.outdir, file).replace(/\.js$/, '') })),
    outdir,
    format: 'esm',
    metafile: true,
    banner: { js: banner },
    plugins: [chunksPlugin(step, undefined)],
  });
  return written.metafile;
}
