/** The families of `openusd://`, and what their items are called. */
import { basename, extname } from 'node:path';

export type Kind = 'stage' | 'layer' | 'asset' | 'material' | 'validation' | 'snapshot' | 'package';
export type Family = 'layers' | 'assets' | 'materials' | 'validation' | 'snapshots' | 'packages';

export const families: readonly { family: Family; kind: Exclude<Kind, 'stage'>; title: string; one: string }[] = [
  { family: 'layers', kind: 'layer', title: 'layers', one: 'Layer' },
  { family: 'assets', kind: 'asset', title: 'external asset dependencies', one: 'Asset dependency' },
  { family: 'materials', kind: 'material', title: 'materials', one: 'Material' },
  { family: 'validation', kind: 'validation', title: 'validation reports', one: 'Validation report' },
  { family: 'snapshots', kind: 'snapshot', title: 'generated snapshots', one: 'Snapshot' },
  { family: 'packages', kind: 'package', title: 'packaged handoffs', one: 'Package' },
];

export const scheme = 'openusd';
export const stageUri = `${scheme}://stage`;
export const jsonMime = 'application/json';
const textMime = 'model/vnd.usd.usda+text';
const crateMime = 'model/vnd.usd.usdc';

/** The MIME type of a file by its name; `.usd` says what it is only inside, so `crate` tells. */
export function mimeOf(path: string | undefined, kind: Kind, crate = false): string {
  if (path === undefined) return jsonMime;
  const type = extname(path).toLowerCase();
  if (type === '.usda') return textMime;
  if (type === '.usdc') return crateMime;
  if (type === '.usd') return crate ? crateMime : textMime;
  if (type === '.usdz') return 'model/vnd.usdz+zip';
  if (type === '.md') return 'text/markdown';
  const report = kind === 'validation' || kind === 'snapshot';
  return type === '.json' || (report && type === '') ? jsonMime : 'application/octet-stream';
}

export const isTextMime = (mime: string): boolean => mime === jsonMime || mime === textMime || mime.startsWith('text/');

/** Hands out item URIs of one family, each once: a second of the same name gets a number. */
export function createItemUris(family: Family) {
  const taken = new Set<string>();
  return (name: string): string => {
    const slug = slugOf(name);
    let free = slug;
    for (let n = 2; taken.has(free); n += 1) free = `${slug}-${n}`;
    taken.add(free);
    return `${scheme}://${family}/${free}`;
  };
}

function slugOf(name: string): string {
  const stem = basename(name, extname(name));
  return stem.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-._]+|[-._]+$/g, '') || 'resource';
}

/** A name as people see it: one line without separators. */
export const displayName = (name: string): string =>
  name
    .replace(/[\p{Cc}/\\]+/gu, ' ')
    .trim()
    .slice(0, 96) || 'USD resource';
