/** What a module is imported by: a path, a URL, or the name of a package that somebody else can resolve. */
import { createRequire, isBuiltin } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Whether a specifier says where the module lies, and is no name. */
export const isPlace = (specifier: string): boolean =>
  isAbsolute(specifier) || /^(file|data):/.test(specifier) || specifier.startsWith('.');

/** The URL of a path, or of a package as one of `folders` resolves it; otherwise the name, for our own resolution. */
export function moduleUrl(specifier: string, folders: readonly string[]): string {
  if (isAbsolute(specifier)) return pathToFileURL(specifier).href;
  if (isPlace(specifier) || isBuiltin(specifier)) return specifier;
  for (const folder of folders) {
    try {
      return pathToFileURL(createRequire(join(folder, 'resolve.js')).resolve(specifier)).href;
    } catch {
      // Not resolvable from there: the next folder, and last our own place, may know it.
    }
  }
  return specifier;
}
