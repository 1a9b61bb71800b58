/** Writes the add-ons: a folder that an application reads, a zip that it installs, a wheel; thin or with Node inside. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, posix } from 'node:path';
import { packageRoot, packageVersion } from '../../kernel/index.ts';
import { installErrors } from './errors.ts';
import { type ZipFile, zip } from './zip.ts';

export const hostKinds = ['blender', 'freecad', 'python'] as const;
export type HostKind = (typeof hostKinds)[number];

export interface InstallOptions {
  kind: HostKind;
  /** Folder of the application's add-ons; the one that is found unless given. */
  to?: string | undefined;
  /** File to write instead, a zip, of `python` a wheel. */
  zip?: string | undefined;
  /** Carry the server and this very Node. */
  fat?: boolean;
  /** Where the Python sources stand. */
  sources: string;
  /** What starts this server. */
  command: readonly string[];
}

const vendored: Record<HostKind, string> = { blender: 'svc_blender', freecad: 'svc/svc_freecad', python: '' };

/** Where the applications of this user look for add-ons, the newest version last. */
async function addonFolders(kind: HostKind): Promise<string[]> {
  const home = homedir();
  const data = { win32: join(home, 'AppData', 'Roaming'), darwin: join(home, 'Library', 'Application Support') };
  const own = data[process.platform as keyof typeof data];
  if (kind === 'freecad') return [own ? join(own, 'FreeCAD', 'Mod') : join(home, '.local', 'share', 'FreeCAD', 'Mod')];
  const windows = process.platform === 'win32';
  const base = windows
    ? join(String(own), 'Blender Foundation', 'Blender')
    : own
      ? join(own, 'Blender')
      : join(home, '.config', 'blender');
  const names = await readdir(base).catch(() => [] as string[]);
  const versions = names.filter(each => /^\d+\.\d+$/.test(each)).sort((a, b) => Number(a) - Number(b));
  return versions.map(each =>
    Number(each) >= 4.2 ? join(base, each, 'extensions', 'user_default') : join(base, each, 'scripts', 'addons'),
  );
}

async function filesIn(folder: string, below: string, keep = (_: string): boolean => true): Promise<ZipFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    each => each.isFile() && !each.parentPath.includes('__pycache__') && !each.name.endsWith('.pyc'),
  );
  const paths = files
    .map(each => join(each.parentPath, each.name))
    .filter(keep)
    .sort();
  return Promise.all(
    paths.map(async path => ({
      path: posix.join(below, path.slice(folder.length + 1).replaceAll('\\', '/')),
      bytes: await readFile(path),
    })),
  );
}

/** The server as it is installed here, and perhaps its Node. */
async function server(below: string, fat: boolean): Promise<ZipFile[]> {
  const at = (path: string): string => posix.join(below, 'svc_server', path);
  const files = [
    { path: at('package.json'), bytes: await readFile(join(packageRoot, 'package.json')) },
    ...(await filesIn(join(packageRoot, 'dist'), at('dist'), path => !/\.map$|[\\/]types[\\/]/.test(path))),
    ...(await filesIn(join(packageRoot, 'skills'), at('skills'), path => !/[\\/]examples[\\/]/.test(path))),
  ];
  if (!fat) return files;
  return [...files, { path: at(basename(process.execPath)), bytes: await readFile(process.execPath), program: true }];
}

async function addon({ kind, sources }: InstallOptions): Promise<ZipFile[]> {
  const module = {
    path: posix.join(vendored[kind], 'svc_host.py'),
    bytes: await readFile(join(sources, 'svc_host.py')),
  };
  if (kind === 'python') return [module];
  const top = kind === 'blender' ? vendored.blender : 'svc';
  return [...(await filesIn(join(sources, kind), top)), module];
}

function wheel(files: readonly ZipFile[]): ZipFile[] {
  const info = `svc_host-${packageVersion}.dist-info`;
  const metadata = `Metadata-Version: 2.1\nName: svc-host\nVersion: ${packageVersion}\nSummary: Makes a Python application a host of svc\nLicense: MIT\nRequires-Python: >=3.7\n`;
  const all = [
    ...files,
    { path: `${info}/METADATA`, bytes: Buffer.from(metadata) },
    {
      path: `${info}/WHEEL`,
      bytes: Buffer.from('Wheel-Version: 1.0\nGenerator: svc\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
    },
  ];
  const record = all.map(({ path, bytes }) => {
    const digest = createHash('sha256').update(bytes).digest('base64url');
    return `${path},sha256=${digest},${bytes.length}\n`;
  });
  return [...all, { path: `${info}/RECORD`, bytes: Buffer.from(`${record.join('')}${info}/RECORD,,\n`) }];
}

/** Writes it; resolves with the path of what was written. */
export async function installHost(options: InstallOptions): Promise<string> {
  const { kind, fat = false, command } = options;
  const files = await addon(options);
  if (options.zip !== undefined) {
    const carried = kind === 'python' ? [] : await server(vendored[kind], fat);
    await mkdir(dirname(options.zip), { recursive: true });
    await writeFile(options.zip, zip(kind === 'python' ? wheel(files) : [...files, ...carried]));
    return options.zip;
  }
  const folder = options.to ?? (await addonFolders(kind)).at(-1);
  if (kind === 'python' && options.to === undefined) throw installErrors.NO_FOLDER({ kind });
  if (folder === undefined) throw installErrors.NO_APPLICATION({ kind });
  const top = kind === 'python' ? folder : join(folder, kind === 'blender' ? 'svc_blender' : 'svc');
  if (kind !== 'python') await rm(top, { recursive: true, force: true });
  const noted = {
    path: posix.join(vendored[kind], 'svc_host.json'),
    bytes: Buffer.from(`${JSON.stringify({ command })}\n`),
  };
  const carried: ZipFile[] = fat ? await server(vendored[kind], true) : [noted];
  for (const { path, bytes, program } of [...files, ...carried]) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes, { mode: program ? 0o755 : 0o644 });
  }
  return top;
}
