/** `npm run build`: bundles the programs and threads into dist/, writes the type declarations and the licences. */
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { build, type Metafile } from 'esbuild';
import ts from 'typescript';
import { skillTypes } from '../plugins/skills/author/skill-types.ts';
import { readPackage } from '../plugins/skills/packages/manifest.ts';
import type { ShippedPackages } from '../plugins/skills/packages/shipped.ts';
import { FindingV1Schema } from '../schemas/finding.ts';
import { InstallSopV1Schema } from '../schemas/install-sop.ts';
import { buildAdmin } from './build-admin.ts';
import { asidePlugin } from './build-aside.ts';
import { keepCode } from './build-code.ts';
import { lazyPlugin } from './build-lazy.ts';
import { writePacked } from './build-packs.ts';
import { roomsPlugin } from './build-rooms.ts';
import { validatorsPlugin } from './build-validators.ts';
import { licences } from './licences.ts';
import { programConfig } from './main.ts';
import { type Program, programs } from './programs.ts';

const root = resolve(import.meta.dirname, '..');
const out = join(root, 'dist');

const entries = {
  ...Object.fromEntries(programs.map(({ bin }) => [bin, `cli/${bin}.ts`])),
  index: 'plugins/index.ts',
  // The very copy of Fastify that a server runs on, for plugins of other packages that need more than its types.
  fastify: 'kernel/fastify.ts',
};

/** A command is a file of its own, which is loaded when it runs: dist/commands/ as cli/commands/. */
async function commands({ folder }: Program): Promise<Record<string, string>> {
  const names = await readdir(join(root, 'cli', folder, 'commands'), { recursive: true });
  const files = names
    .filter(each => each.endsWith('.ts'))
    .map(each => join(folder, 'commands', each).split(sep).join('/'));
  return Object.fromEntries(files.map(each => [each.slice(0, -'.ts'.length), `cli/${each}`]));
}

/** Every `threadEntry('<name>', '<source>')` of the sources is a bundle of its own. */
async function threads(): Promise<Record<string, string>> {
  const names = await readdir(join(root, 'plugins'), { recursive: true });
  const texts = await Promise.all(
    names.filter(each => each.endsWith('.ts')).map(each => readFile(join(root, 'plugins', each), 'utf8')),
  );
  const calls = texts.flatMap(text => [...text.matchAll(/\bthreadEntry\(\s*'([^']+)',\s*'([^']+)'/g)]);
  return Object.fromEntries(calls.map(([, name, source]) => [name, source]));
}

// CommonJS packages inside an ES module bundle still call these.
const banner = [
  "import { createRequire as svcCreateRequire } from 'node:module';",
  "import { fileURLToPath as svcFileURLToPath } from 'node:url';",
  "import { dirname as svcDirname } from 'node:path';",
  'const require = svcCreateRequire(import.meta.url);',
  'const __filename = svcFileURLToPath(import.meta.url);',
  'const __dirname = svcDirname(__filename);',
].join('');

async function bundle(aside: Set<string>): Promise<Metafile> {
  const ofPrograms = Object.assign({}, ...(await Promise.all(programs.map(commands))));
  const first = await build({
    absWorkingDir: root,
    entryPoints: { ...entries, ...ofPrograms, ...(await threads()) },
    write: false,
    outdir: out,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Reading the source is a good part of starting. Names stay, so that a stack trace can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'inline',
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [asidePlugin(aside), validatorsPlugin, roomsPlugin, lazyPlugin],
    // esbuild has a native part; TypeScript is only reached by oclif's transpiling of plugins, which is off.
    external: ['better-sqlite3', 'esbuild', 'typescript'],
  });
  const { outputs } = await writePacked(first, { root, outdir: out, banner });
  for (const { bin } of programs) await chmod(join(out, `${bin}.js`), 0o755);
  return { inputs: first.metafile.inputs, outputs };
}

/** Declarations of everything that the package's entry exports, below dist/types/. */
function declarations(): void {
  const entries = ['plugins/index.ts', 'kernel/fastify.ts'];
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: entries }, ts.sys, root);
  // A room says in its events.ts what it adds to the bus: the types of those who listen need all of them.
  const events = ts.sys.readDirectory(join(root, 'plugins'), ['.ts'], undefined, ['**/events.ts']);
  const program = ts.createProgram([...entries.map(each => join(root, each)), ...events], {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    rootDir: root,
    outDir: join(out, 'types'),
  });
  const files = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (file, text) => files.set(resolve(file), text));
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0) {
    throw new Error(ts.formatDiagnostics(problems, ts.createCompilerHost(options)));
  }
  // Only what the entry reaches: the rest needs types of packages that are bundled, and nobody can import it.
  const write = (file: string): void => {
    const text = files.get(file);
    if (text === undefined) return;
    files.delete(file);
    ts.sys.writeFile(file, text);
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (fileName.startsWith('.')) write(resolve(file, '..', fileName.replace(/\.ts$/, '.d.ts')));
    }
  };
  for (const entry of entries) write(join(out, 'types', entry.replace(/\.ts$/, '.d.ts')));
}

/** The bundled skills' manifests, read once and for all. */
async function shippedSkills(): Promise<ShippedPackages> {
  const folder = join(root, 'skills');
  const entries = await readdir(folder, { withFileTypes: true });
  const packages: Record<string, ShippedPackages[string]> = {};
  // The examples are folders of packages, and no part of the server.
  for (const { name } of entries.filter(each => existsSync(join(folder, each.name, 'SKILL.md')))) {
    const reading = await readPackage(join(folder, name));
    if ('skipped' in reading) throw new Error(`skills/${name} is refused: ${reading.skipped.message}`);
    const { directory: _, ...rest } = reading.package;
    packages[name] = rest;
  }
  return packages;
}

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const aside = new Set<string>();
const metafile = await bundle(aside);
const page = await buildAdmin(root, join(out, 'admin'));
declarations();
// What every command takes, so that help, completion and an unknown command load none of them.
for (const program of programs) {
  const [described] = (await programConfig(program, out)).getPluginsList();
  const { manifest } = described as { manifest?: object };
  await writeFile(join(out, program.folder, 'oclif.manifest.json'), JSON.stringify(manifest));
}
await writeFile(join(out, 'skills.json'), JSON.stringify(await shippedSkills()));
// For whoever makes or checks them without this package's code.
for (const [name, schema] of Object.entries({ 'finding-v1': FindingV1Schema, 'install-sop-v1': InstallSopV1Schema })) {
  const published = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema };
  await writeFile(join(out, `${name}.schema.json`), `${JSON.stringify(published, null, 2)}\n`);
}
await writeFile(join(out, 'skill-types.d.ts'), await skillTypes());
for (const [from, to] of [
  ['plugins/skills/helpers', 'helpers'],
  ['plugins/host-link/python', 'python'],
] as const) {
  await cp(join(root, from), join(out, to), { recursive: true, filter: each => basename(each) !== '__pycache__' });
}
await writeFile(
  join(out, 'THIRD-PARTY.txt'),
  await licences([...Object.keys(metafile.inputs), ...aside, ...page.inputs], root),
);
const kept = await keepCode(root, out);
const shown = Object.entries(metafile.outputs).filter(([file]) => file.endsWith('.js'));
const bytes = shown.reduce((sum, [, each]) => sum + each.bytes, 0);
process.stdout.write(`dist: ${shown.length} files, ${Math.round(bytes / 1024)} KiB\n`);
process.stdout.write(`dist/chunks: the compiled code of ${kept} packs\n`);
process.stdout.write(`dist/admin: ${Math.round(page.zippedBytes / 1024)} KiB of script, gzipped\n`);
