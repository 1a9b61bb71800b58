/** Reads the small text files of a package: bounded, UTF-8, inside the directory even through links. */
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { Rejection } from './rejection.ts';

/** True when `path` is `directory` or lies below it; both absolute. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/**
 * Real path of `name` in `directory` (a real path); undefined when there is no such file.
 * Throws a Rejection when it leads out of the directory.
 */
export async function locate(directory: string, name: string): Promise<string | undefined> {
  const refuse = () => new Rejection('path_outside_directory', `"${shown(name)}" lies outside the package directory`);
  if (name.includes('\0')) throw refuse();
  const wanted = resolve(directory, name);
  if (isAbsolute(name) || !isInside(directory, wanted)) throw refuse();
  try {
    const real = await realpath(wanted);
    if (!isInside(directory, real)) throw refuse();
    return real;
  } catch (error) {
    if (error instanceof Rejection) throw error;
    if (isMissing(error)) return undefined;
    throw readError(name, error);
  }
}

/** The text of `name`, or undefined when there is no such file; throws a Rejection for anything unreadable. */
export async function readText(directory: string, name: string, maxBytes: number): Promise<string | undefined> {
  const bytes = await readBytes(directory, name, maxBytes);
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw readError(name, error);
  }
}

/** The bytes of `name`, or undefined when there is no such file; throws a Rejection for anything unreadable. */
export async function readBytes(directory: string, name: string, maxBytes: number): Promise<Buffer | undefined> {
  const path = await locate(directory, name);
  if (path === undefined) return undefined;
  try {
    const bytes = await readRegular(path, maxBytes);
    if (bytes === 'too large') throw new Rejection('read_error', `${name} is larger than ${maxBytes} bytes`);
    return bytes;
  } catch (error) {
    if (error instanceof Rejection) throw error;
    if (isMissing(error)) return undefined;
    if (codeOf(error) === notRegular) throw new Rejection('read_error', `${name} is not a file`);
    throw readError(name, error);
  }
}

const notRegular = 'SVC_NOT_REGULAR';

/** The bytes of a regular file. A pipe or device would keep its reader waiting for ever: it is an error instead. */
export async function readRegular(path: string): Promise<Buffer>;
export async function readRegular(path: string, maxBytes: number): Promise<Buffer | 'too large'>;
export async function readRegular(path: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer | 'too large'> {
  // Opened before it is looked at, so that nobody can exchange it in between; without waiting for a pipe's other end.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    if (!found.isFile()) throw Object.assign(new Error('it is not a regular file'), { code: notRegular });
    return found.size > maxBytes ? 'too large' : await file.readFile();
  } finally {
    await file.close();
  }
}

/** Whether a path leads to a regular file. */
export const isRegular = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isFile(),
    () => false,
  );

/** True for "no such file or directory". */
export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

/** Whether something is there; what may not be looked at is: reading it tells why. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    error => ['EACCES', 'EPERM'].includes(codeOf(error)),
  );

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

// A system error's message holds the absolute path: only its code is told.
const readError = (name: string, error: unknown): Rejection =>
  new Rejection(
    'read_error',
    error instanceof TypeError
      ? `${shown(name)} is not UTF-8 text`
      : `${shown(name)} cannot be read (${codeOf(error) || 'unknown error'})`,
  );

const shown = (name: string): string => (isAbsolute(name) ? '<absolute path>' : name.slice(0, 120));
