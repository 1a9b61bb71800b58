/** Follows a project from its stage through every layer whose text can be read, within bounds. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { type Located, locate, openFound, type Root } from './confinement.ts';
import { type Arc, type Reference, referencesOf } from './references.ts';

/** A file that some layer names. */
export interface Found {
  kind: 'layer' | 'asset';
  /** As the first layer that names it writes it. */
  written: string;
  located: Located;
  arcs: Set<Arc>;
  /** Layers that name it, relative to the root. */
  referencedBy: Set<string>;
}

export interface Walk {
  found: Found[];
  /** True when a bound ended the walk early, or a layer is too long to be read whole. */
  truncated: boolean;
}

const most = { depth: 64, layers: 1000, found: 10_000, layerBytes: 16_777_216, bytes: 268_435_456, tiles: 200 };
const layerTypes = new Set(['.usd', '.usda', '.usdc', '.usdz']);
const sliceSize = 32;

interface Scanned {
  key: string;
  bytes: number;
  references: Reference[];
  truncated: boolean;
}

/** Makes the walk of one project; layers that did not change since the last one are not read again. */
export function createWalk(root: Root) {
  let scans = new Map<string, Scanned>();

  const scan = async ({ real, stats }: Extract<Located, { status: 'present' }>): Promise<Scanned> => {
    const key = `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
    const kept = scans.get(real);
    if (kept?.key === key) return kept;
    const { text, whole, bytes } = await layerText(real);
    const { references, truncated } = await referencesOf(text, most.found);
    return { key, bytes, references, truncated: truncated || !whole };
  };

  /** `roots` are layers themselves; they are not among what is found unless a layer names them. */
  return async (roots: readonly Located[]): Promise<Walk> => {
    const found = new Map<string, Found>();
    const seen = new Map<string, Scanned>();
    let level = roots.filter(each => each.status === 'present');
    let truncated = false;
    let bytes = 0;

    const note = (layer: string, { written, arc }: Reference, located: Located): Located | undefined => {
      const id = located.status === 'present' ? located.real : located.status === 'missing' ? located.path : written;
      const known = found.get(id);
      if (!known && found.size >= most.found) {
        truncated = true;
        return undefined;
      }
      const kind = layerTypes.has(extname(written).toLowerCase()) ? 'layer' : 'asset';
      const entry = known ?? { kind, written, located, arcs: new Set(), referencedBy: new Set() };
      found.set(id, entry);
      entry.arcs.add(arc);
      entry.referencedBy.add(layer);
      return kind === 'layer' ? located : undefined;
    };

    for (let depth = 0; level.length > 0; depth += 1) {
      const next: Extract<Located, { status: 'present' }>[] = [];
      for (const layer of level) {
        if (seen.has(layer.real) || !layer.stats.isFile()) continue;
        if (depth >= most.depth || seen.size >= most.layers || bytes >= most.bytes) {
          truncated = true;
          continue;
        }
        const scanned = await scan(layer);
        seen.set(layer.real, scanned);
        bytes += scanned.bytes;
        truncated ||= scanned.truncated;
        const from = dirname(layer.path);
        const name = relative(root.real, layer.real);
        const references = (await Promise.all(scanned.references.map(each => tilesOf(root, from, each)))).flat();
        for (let at = 0; at < references.length; at += sliceSize) {
          const slice = references.slice(at, at + sliceSize);
          const places = await Promise.all(slice.map(each => locate(root, from, each.written)));
          for (const [index, reference] of slice.entries()) {
            const located = note(name, reference, places[index] ?? { status: 'outside' });
            if (located?.status === 'present') next.push(located);
          }
        }
      }
      level = next;
    }
    scans = seen;
    return { found: [...found.values()], truncated };
  };
}

/** The text of a layer, up to a bound; nothing for a binary one. */
async function layerText(real: string): Promise<{ text: string; whole: boolean; bytes: number }> {
  const none = { text: '', whole: true, bytes: 0 };
  const file = await openFound(real).catch(() => undefined);
  if (!file) return none;
  try {
    const head = Buffer.alloc(8);
    const { bytesRead } = await file.read(head, 0, 8, 0);
    if (head.toString('latin1', 0, bytesRead) === 'PXR-USDC' || head.toString('latin1', 0, 2) === 'PK') return none;
    const { size } = await file.stat();
    const bytes = Buffer.allocUnsafe(Math.min(size, most.layerBytes));
    const read = await file.read(bytes, 0, bytes.length, 0);
    return { text: bytes.toString('utf8', 0, read.bytesRead), whole: size <= most.layerBytes, bytes: bytes.length };
  } catch {
    return none;
  } finally {
    await file.close();
  }
}

/** A texture name with `<UDIM>` stands for its tiles: those that lie in the folder, or itself when there is none. */
async function tilesOf(root: Root, from: string, reference: Reference): Promise<Reference[]> {
  const { written, arc } = reference;
  const [before, after] = basename(written).split('<UDIM>');
  if (before === undefined || after === undefined) return [reference];
  const folder = await locate(root, from, dirname(written));
  const names = folder.status === 'present' ? await readdir(folder.real).catch(() => []) : [];
  const tiles = names
    .filter(name => name.startsWith(before) && name.endsWith(after))
    .filter(name => /^\d{4}$/.test(name.slice(before.length, name.length - after.length)))
    .sort()
    .slice(0, most.tiles);
  return tiles.length === 0 ? [reference] : tiles.map(name => ({ written: join(dirname(written), name), arc }));
}
