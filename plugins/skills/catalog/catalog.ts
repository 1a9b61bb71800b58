/** Every package that the search roots hold: which are valid, which are refused, and which of two namesakes counts. */
import { stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Awaitable } from '../../../schemas/awaitable.ts';
import type { Verdict } from '../../policy/approvals/api.ts';
import { readPackage, type SkillPackage } from '../packages/manifest.ts';
import { isInside } from '../packages/package-files.ts';
import { type SkippedSkill, skipRecord } from '../packages/rejection.ts';
import { shippedPackage } from '../packages/shipped.ts';
import { createQueue } from './queue.ts';
import { isPackage, isPackageName, listPackages, type RootProblem } from './scanner.ts';
import { type SearchRoot, type SkillScope, scopeOrder } from './search-paths.ts';

export interface CatalogSkill {
  package: SkillPackage;
  root: SearchRoot;
  /** Directory as found under its root; `package.directory` is the real path. */
  location: string;
  /** Its files are broken now; the package is what they said before. Only while it is loaded. */
  broken?: SkippedSkill;
  /** Names of what says something else than what was approved: tools, and `itself`. */
  changed?: ReadonlySet<string>;
}

/** Names whose entry came, went, or says something else. */
export interface CatalogChange {
  added: string[];
  changed: string[];
  removed: string[];
}

export interface CatalogDeps {
  roots: () => readonly SearchRoot[];
  /** A loaded skill keeps its entry while its files are broken. */
  isLoaded: (name: string) => boolean;
  /** Whether a package says what was approved; without it nobody asks. */
  judge?: ((found: SkillPackage, root: SearchRoot) => Awaitable<Verdict>) | undefined;
  /** Scopes whose packages may say themselves where their code runs; all of them where none is named. */
  trusted?: ReadonlySet<SkillScope> | undefined;
  /** Told when packages came, went, or say something else. */
  onChange?: (change: CatalogChange) => void;
}

interface Entry {
  root: SearchRoot;
  location: string;
  package?: SkillPackage;
  skipped?: SkippedSkill;
  changed?: ReadonlySet<string>;
}

export type Catalog = ReturnType<typeof createCatalog>;

export function createCatalog({ roots, isLoaded, judge, trusted, onChange }: CatalogDeps) {
  const queue = createQueue();
  let entries = new Map<string, Entry>();
  let skills = new Map<string, CatalogSkill>();
  /** Names that skills are known by beside their own. */
  let provided = new Map<string, string>();
  let refused: SkippedSkill[] = [];
  let problems: RootProblem[] = [];
  let usable: string[] = [];
  let generation = 0;
  let scannedAt = 0;

  /** Reads one location again. Undefined: nothing is there any more. */
  const read = async (location: string, root: SearchRoot, final: boolean): Promise<Entry | undefined> => {
    const before = entries.get(location);
    const kept = before?.package && isLoaded(before.package.name) ? before.package : undefined;
    if (!(await isPackage(location)) && (final || kept === undefined)) return undefined;
    const reading = await readPackage(location, before?.package ?? (await shippedPackage(location)));
    if ('package' in reading) {
      const { manifest } = reading.package;
      // A save that cannot be read takes no tool away from a skill that serves.
      const unreadable = kept && kept !== reading.package && manifest.unread;
      if (!unreadable) return approved({ root, location, package: reading.package }, kept);
      const { reason_code, message } = unreadable;
      return { root, location, package: kept, skipped: skipRecord(location, reason_code, message, kept) };
    }
    return { root, location, skipped: reading.skipped, ...(kept && { package: kept }) };
  };

  /** What says something else than what was approved is marked, or kept away until somebody accepts it. */
  const approved = async (entry: Entry & { package: SkillPackage }, kept: SkillPackage | undefined): Promise<Entry> => {
    const { root, location, package: found } = entry;
    const { changed, quarantined } = (await judge?.(found, root)) ?? { changed: new Set(), quarantined: false };
    if (changed.size === 0) return entry;
    if (!quarantined) return { ...entry, changed };
    const skipped = skipRecord(location, 'quarantined', quarantineText(changed), { name: found.name });
    return { root, location, skipped, ...(kept && { package: kept }) };
  };

  /** Decides between namesakes and tells what is different from before. */
  const settle = (): CatalogChange => {
    const order = [...roots()];
    const rank = (entry: Entry): number =>
      scopeOrder.indexOf(entry.root.scope) * 1e6 + order.findIndex(each => each.path === entry.root.path);
    const sorted = [...entries.values()].sort((a, b) => rank(a) - rank(b) || (a.location < b.location ? -1 : 1));
    const next = new Map<string, CatalogSkill>();
    refused = [];
    for (const { package: found, skipped, changed, root, location } of sorted) {
      if (skipped) refused.push(skipped);
      if (!found) continue;
      const winner = next.get(found.name);
      if (winner) refused.push(duplicateRecord(location, found, winner));
      else {
        const remarks = { ...(skipped && { broken: skipped }), ...(changed && { changed }) };
        next.set(found.name, { package: found, root, location, ...remarks });
      }
    }
    const change = difference(skills, next);
    skills = next;
    provided = otherNames(next);
    generation += 1;
    if (change.added.length + change.changed.length + change.removed.length > 0) onChange?.(change);
    return change;
  };

  return {
    /** Grows whenever an entry may have changed. */
    get generation() {
      return generation;
    },
    get: (name: string): CatalogSkill | undefined => skills.get(name),
    /** Whether the skill of that name may say itself where its code runs. */
    isTrusted(name: string): boolean {
      const scope = skills.get(name)?.root.scope;
      return trusted === undefined || (scope !== undefined && trusted.has(scope));
    },
    /** The name of the skill that goes by `name`: its own, one that it provides, or one with `_` for `-`. */
    nameOf: (name: string): string =>
      skills.has(name) ? name : (provided.get(name) ?? provided.get(folded(name)) ?? name),
    /** Names of the skills that a skill must have loaded before it; undefined when there is no such skill. */
    dependsOn(name: string): readonly string[] | undefined {
      return skills.get(name)?.package.manifest.depends.map(each => this.nameOf(each));
    },
    /** By scope precedence, then path, then directory. */
    list: (): CatalogSkill[] => [...skills.values()],
    skipped: (): readonly SkippedSkill[] => refused,
    problems: (): readonly RootProblem[] => problems,
    /** Search paths that the last scan could read. */
    usableRoots: (): readonly string[] => usable,

    scan: (): Promise<CatalogChange> =>
      queue.run(async () => {
        scannedAt = Date.now();
        const found = new Map<string, Entry>();
        const trouble: RootProblem[] = [];
        const readable: string[] = [];
        for (const root of roots()) {
          const listing = await listPackages(root);
          if (listing.problem) trouble.push(listing.problem);
          if (listing.usable) readable.push(root.path);
          // Their neighbours are found where they lie.
          readable.push(...listing.locations.map(dirname).filter(each => each !== dirname(root.path)));
          for (const location of listing.locations) {
            if (found.has(location)) continue;
            const entry = await read(location, root, true);
            if (entry) found.set(location, entry);
          }
        }
        entries = found;
        problems = trouble;
        usable = [...new Set(readable)];
        return settle();
      }),

    /**
     * Reads one location again. A loaded skill whose files are gone keeps its entry, marked broken, until `final`:
     * a save may delete a file before it writes the new one.
     */
    refresh: (location: string, { final = false } = {}): Promise<CatalogChange> =>
      queue.run(async () => {
        const root = entries.get(location)?.root ?? rootOf(roots(), location);
        const entry = root && (await read(location, root, final));
        if (entry) entries.set(location, entry);
        else entries.delete(location);
        return settle();
      }),

    /** Reads again what is, or was refused, under that name. */
    async refreshNamed(name: string): Promise<void> {
      for (const { location, package: found, skipped } of [...entries.values()]) {
        if (found?.name === name || skipped?.skill_name === name) await this.refresh(location);
      }
    },

    /** Locations that may say something else than at the last scan: what nobody watched in between. */
    async suspects(): Promise<string[]> {
      const listings = await Promise.all(roots().map(listPackages));
      const there = new Set(listings.flatMap(each => each.locations));
      const gone = [...entries.keys()].filter(each => !there.has(each));
      const suspect: string[] = [];
      for (const location of there) {
        const files = entries.get(location)?.package?.manifest.files ?? ['SKILL.md', 'tools.yaml', 'groups.yaml'];
        const isNew = !entries.has(location);
        if (isNew || (await newestChange(location, files)) > scannedAt - 1000) suspect.push(location);
      }
      return [...gone, ...suspect];
    },

    /** Location of the package that `path` belongs to, if it lies under a search root. */
    locationOf(path: string): string | undefined {
      const known = deepest(entries.keys(), path);
      if (known !== undefined) return known;
      const folder = deepest([...roots().map(each => each.path), ...usable], path);
      if (folder === undefined) return undefined;
      if (path === join(folder, 'SKILL.md')) return folder;
      const [name] = relative(folder, path).split(sep);
      return name && isPackageName(name) ? join(folder, name) : undefined;
    },
  };
}

const rootOf = (roots: readonly SearchRoot[], location: string): SearchRoot | undefined => {
  const path = deepest(
    roots.map(each => each.path),
    location,
  );
  return roots.find(each => each.path === path);
};

/** The longest of `folders` that `path` is, or lies in. */
function deepest(folders: Iterable<string>, path: string): string | undefined {
  let found: string | undefined;
  for (const each of folders) {
    if (each.length > (found?.length ?? -1) && isInside(each, path)) found = each;
  }
  return found;
}

const textOf = (names: ReadonlySet<string> = new Set()): string => [...names].join();

/** Says nothing of what it says now: nobody has accepted that. */
const quarantineText = (changed: ReadonlySet<string>): string =>
  `it says something else than what was approved (${[...changed].slice(0, 10).join(', ')}), and is kept away until somebody accepts it`;

const folded = (name: string): string => name.replaceAll('-', '_');

/** Where two skills claim a name the one that comes first in the catalogue has it. */
function otherNames(skills: ReadonlyMap<string, CatalogSkill>): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, { package: found }] of skills) {
    for (const other of [folded(name), ...found.manifest.provides]) if (!names.has(other)) names.set(other, name);
  }
  return names;
}

async function newestChange(location: string, files: readonly string[]): Promise<number> {
  const times = await Promise.all(
    files.map(file =>
      stat(join(location, file)).then(
        each => each.mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(0, ...times);
}

function duplicateRecord(location: string, { name, manifest }: SkillPackage, winner: CatalogSkill): SkippedSkill {
  return skipRecord(
    location,
    'duplicate_skill_name',
    `another skill named "${name}" (${winner.root.scope} scope) is used instead`,
    { name, dcc: manifest.dcc, tags: manifest.tags },
  );
}

function difference(
  before: ReadonlyMap<string, CatalogSkill>,
  after: ReadonlyMap<string, CatalogSkill>,
): CatalogChange {
  const same = (name: string): boolean => {
    const [old, now] = [before.get(name), after.get(name)];
    return (
      old?.package.fingerprint === now?.package.fingerprint &&
      old?.package.directory === now?.package.directory &&
      old?.broken?.message === now?.broken?.message &&
      textOf(old?.changed) === textOf(now?.changed)
    );
  };
  return {
    added: [...after.keys()].filter(name => !before.has(name)),
    changed: [...after.keys()].filter(name => before.has(name) && !same(name)),
    removed: [...before.keys()].filter(name => !after.has(name)),
  };
}
