/**
 * A content-addressed folder (shape:artefact): `<hex>.bin`, its sidecar `<hex>.json`, further ones `<hex>.<key>.json`.
 * Everything is written aside and renamed, and bytes are verified when read: a torn write is never served.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, writeWhole } from '../../../../kernel/index.ts';
import { putInPlace } from '../../../../schemas/whole-file.ts';
import type { ArtefactInfo, ArtefactStore, FileRef } from './api.ts';
import { copyHashed, digestOf } from './bytes.ts';
import { artefactErrors } from './errors.ts';
import { artefactPrefix, hexOf, infoOf, isLive, readSidecar, sidecarKey } from './sidecar.ts';

const sidecarName = /^([0-9a-f]{64})(?:\.[0-9a-f]+)?\.json$/;
const sliceSize = 64;
const hourMs = 3_600_000;

export interface ArtefactFolder extends ArtefactStore {
  /** Removes what was left half written, and bytes of which every sidecar has expired, once an hour old. */
  prune(): Promise<void>;
}

export function createArtefactStore(folder: string, now: () => number): ArtefactFolder {
  /** Sidecars are never rewritten: one that was read stays valid while its file is there. */
  const known = new Map<string, FileRef>();

  const aside = (): string => join(folder, `.tmp-${randomUUID()}.part`);

  /** Writes the first sidecar of these bytes, or a further one when there is a first already. */
  const describeAs = async (hex: string, size: number, info: ArtefactInfo): Promise<FileRef> => {
    const ref: FileRef = {
      uri: artefactPrefix + hex,
      mime: 'application/octet-stream',
      size_bytes: size,
      digest: `sha256:${hex}`,
      created_at: new Date(now()).toISOString(),
      ...info,
    };
    const part = aside();
    await writeFile(part, JSON.stringify(ref), { flag: 'wx', mode: 0o600 });
    try {
      // Of two writers at once one makes the link; file systems without links make further sidecars only.
      await link(part, join(folder, `${hex}.json`));
      await rm(part, { force: true });
    } catch {
      await putInPlace(part, join(folder, `${hex}.${sidecarKey(info)}.json`));
      known.delete(`${hex}.${sidecarKey(info)}.json`);
    }
    return ref;
  };

  const sidecar = async (name: string, hex: string): Promise<FileRef | undefined> => {
    const kept = known.get(name);
    if (kept) return kept;
    const ref = readSidecar(await readFile(join(folder, name), 'utf8').catch(() => ''), hex);
    if (ref) known.set(name, ref);
    return ref;
  };

  const names = (): Promise<string[]> => readdir(folder).catch(() => []);

  const sidecars = async (all: readonly string[]): Promise<{ hex: string; ref: FileRef }[]> => {
    const present = new Set(all);
    for (const name of known.keys()) if (!present.has(name)) known.delete(name);
    const wanted = all.filter(name => present.has(`${sidecarName.exec(name)?.[1]}.bin`));
    const found: { hex: string; ref: FileRef }[] = [];
    for (let at = 0; at < wanted.length; at += sliceSize) {
      const slice = wanted.slice(at, at + sliceSize).map(async name => {
        const hex = name.slice(0, 64);
        const ref = await sidecar(name, hex);
        if (ref) found.push({ hex, ref });
      });
      await Promise.all(slice);
    }
    return found.sort((a, b) => compare(a.ref.created_at, b.ref.created_at) || compare(a.hex, b.hex));
  };

  return {
    async putBytes(bytes, given = {}) {
      if (!(bytes instanceof Uint8Array)) throw artefactErrors.BAD_INFO({ reason: 'the bytes must be a Uint8Array' });
      const info = infoOf(given);
      const hex = await digestOf(bytes);
      await writeWhole(join(folder, `${hex}.bin`), bytes, { mode: 0o600, folderMode: 0o700 });
      return describeAs(hex, bytes.length, info);
    },

    async putFile(path, given = {}) {
      const info = infoOf(given);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const part = aside();
      try {
        if (!(await stat(path)).isFile()) throw new Error('it is no regular file');
        const { hex, size } = await copyHashed(path, part);
        await putInPlace(part, join(folder, `${hex}.bin`));
        return await describeAs(hex, size, info);
      } catch (error) {
        await rm(part, { force: true });
        throw artefactErrors.UNREADABLE({ reason: messageOf(error) }, error);
      }
    },

    async get(uri, maxBytes = Number.POSITIVE_INFINITY) {
      const hex = hexOf(uri);
      const mine = (await names()).filter(name => name.startsWith(hex));
      const ref = (await sidecars(mine)).map(each => each.ref).find(each => isLive(each, now()));
      const file = ref && (await open(join(folder, `${hex}.bin`)).catch(() => undefined));
      if (!ref || !file) return undefined;
      try {
        const { size } = await file.stat();
        if (size > maxBytes) throw artefactErrors.TOO_LARGE({ uri, bytes: size, limit: maxBytes });
        const bytes = await file.readFile();
        return (await digestOf(bytes)) === hex ? { ref, bytes } : undefined;
      } finally {
        await file.close();
      }
    },

    async list() {
      return (await sidecars(await names())).map(each => each.ref).filter(each => isLive(each, now()));
    },

    async prune() {
      const all = await names();
      const live = new Set((await sidecars(all)).filter(({ ref }) => isLive(ref, now())).map(each => each.hex));
      const old = async (name: string): Promise<boolean> => now() - (await stat(join(folder, name))).mtimeMs > hourMs;
      for (const name of all) {
        const dead = /^\..+\.part$/.test(name) || (/^[0-9a-f]{64}\./.test(name) && !live.has(name.slice(0, 64)));
        if (dead && (await old(name).catch(() => false))) await rm(join(folder, name), { force: true });
      }
    },
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
