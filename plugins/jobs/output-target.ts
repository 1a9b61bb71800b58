/** Where a job says that it writes its files: in its result, or in the arguments it was started with (shape:poll). Pure. */
import type { OutputTarget } from './api.ts';

type Fields = Readonly<Record<string, unknown>>;

const keysOf = (path: string): readonly string[] => path.split('.');
const dirPaths = ['output_dir', 'output.dir', 'context.output_dir', 'context.output.dir', 'result.output_dir'].map(
  keysOf,
);
const extensionPaths = [
  'output_extensions',
  'output.extensions',
  'context.output_extensions',
  'context.output.extensions',
].map(keysOf);
const maxExtensions = 64;

/** The target that a value declares; null when it declares none. */
export function outputTarget(value: unknown): OutputTarget | null {
  const dir = dirPaths.map(path => at(value, path)).find(each => typeof each === 'string' && each.trim() !== '');
  if (dir === undefined) return null;
  const listed = extensionPaths.map(path => at(value, path)).find(Array.isArray) ?? [];
  return { dir: dir as string, extensions: extensionsOf(listed) };
}

/** Extensions in one form: lower case, with the dot. */
export function extensionsOf(listed: readonly unknown[]): string[] {
  const texts = listed.slice(0, maxExtensions).filter(each => typeof each === 'string' && each.trim() !== '');
  return texts.map(each => `.${String(each).trim().replace(/^\./, '').toLowerCase()}`);
}

function at(value: unknown, keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Fields)[key];
  }
  return found;
}
