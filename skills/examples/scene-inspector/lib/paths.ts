/** Checks of the paths that a caller names, before anything is read or written. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SkillContext } from 'svc';
import { SceneError } from './envelope.ts';

const defaultMaxFileMb = 256;

/** An absolute path from an absolute path, a relative one or a `file:` URL. */
export function absolutePath(input: unknown, argument: string): string {
  if (typeof input !== 'string' || input.trim() === '' || input.includes('\0')) {
    throw new SceneError('invalid_path', `Argument "${argument}" must be a file path; give an absolute one.`);
  }
  try {
    return input.startsWith('file:') ? fileURLToPath(input) : resolve(input);
  } catch {
    throw new SceneError('invalid_path', `Argument "${argument}" is not a usable file URL: ${input}`);
  }
}

/** The size of a regular file within the limit (`skill_config.scene-inspector.max_file_mb`). */
export async function checkedSize(path: string, config: SkillContext['config'], shown = path): Promise<number> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
      throw new SceneError(
        'file_not_found',
        `There is no file at ${shown}. Check the spelling and give an absolute path; list_samples has files to try.`,
      );
    }
    throw new SceneError('file_unreadable', `${shown} cannot be read (${error.code ?? error.message}).`);
  });
  if (!info.isFile()) throw new SceneError('not_a_file', `${shown} is not a regular file.`);
  const limitMb = typeof config.max_file_mb === 'number' ? config.max_file_mb : defaultMaxFileMb;
  if (info.size > limitMb * 1024 * 1024) {
    throw new SceneError(
      'file_too_large',
      `${shown} has ${megabytes(info.size)} MB, over the limit of ${limitMb} MB (skill_config.scene-inspector.max_file_mb).`,
    );
  }
  return info.size;
}

/** Reads a whole file after `checkedSize` allowed it. */
export async function readWhole(path: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readFile(path, { signal }).catch((error: NodeJS.ErrnoException) => {
    if (signal.aborted) throw error;
    throw new SceneError('file_unreadable', `${path} cannot be read (${error.code ?? error.message}).`);
  });
  // A copy with its own buffer: readers address by offset into the buffer.
  return new Uint8Array(bytes);
}

/** Writes a new file; an existing one is never replaced. */
export async function writeNew(path: string, bytes: Uint8Array, extension: string): Promise<void> {
  if (extname(path).toLowerCase() !== extension) {
    throw new SceneError('invalid_path', `The output path must end in ${extension}: ${path}`);
  }
  await makeFolder(dirname(path));
  await writeFile(path, bytes, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') {
      throw new SceneError(
        'output_exists',
        `${path} exists and is not replaced; choose another path or remove it first.`,
      );
    }
    throw new SceneError('output_unwritable', `${path} cannot be written (${error.code ?? error.message}).`);
  });
}

/** Makes a folder and its parents. Not by `recursive: true`, which never returns where the system refuses with ENOENT. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path || (await isFolder(parent))) {
      throw new SceneError('output_unwritable', `The folder ${path} cannot be made (${code ?? message}).`);
    }
    await makeFolder(parent);
    await makeFolder(path);
  }
}

async function isFolder(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined);
  return info?.isDirectory() === true;
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
