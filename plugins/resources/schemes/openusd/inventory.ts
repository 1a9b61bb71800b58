/** Everything a project consists of at this moment: what the host listed, merged with what the layers name. */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Located, locate, openFound } from './confinement.ts';
import { createItemUris, displayName, type Family, families, type Kind, mimeOf, stageUri } from './families.ts';
import type { Given, GivenItem } from './given.ts';
import { createWalk, type Found } from './walk.ts';

/** One entry of a manifest (shape:openusd). */
export interface Entry {
  uri: string;
  name: string;
  description: string;
  mimeType: string;
  kind: Kind;
  project_root_label: string;
  path?: string;
  file_ref?: { uri: string; mime: string; display_name: string; size_bytes?: number };
  metadata: Record<string, unknown>;
}

export interface Item {
  entry: Entry;
  located?: Located;
  content?: unknown;
}

export interface Inventory {
  stage: Item;
  families: Readonly<Record<Family, { items: readonly Item[]; truncated: boolean }>>;
  byUri: ReadonlyMap<string, Item>;
}

const mostReferrers = 20;

/** Makes the function that takes stock of one project. Askers at the same time share one answer. */
export function createInventory({ root, label, stage, items }: Given): () => Promise<Inventory> {
  const walk = createWalk(root);
  const base = { project_root_label: label, project_root: root.given };

  const itemOf = async (
    uri: string,
    kind: Kind,
    one: string,
    given: GivenItem,
    located: Located | undefined,
    found: Found | undefined,
  ): Promise<Item> => {
    const { name, path, content, description } = given;
    const mime = given.mime ?? mimeOf(content === undefined ? path : undefined, kind, await isCrate(located));
    const place = located && located.status !== 'outside' ? located : undefined;
    const real = located?.status === 'present' ? located.real : place?.path;
    const entry: Entry = {
      uri,
      name,
      description: description ?? `${one} of ${label}: ${found?.written ?? name}`,
      mimeType: mime,
      kind,
      project_root_label: label,
      ...(place && { path: place.path }),
      ...(real !== undefined && {
        file_ref: {
          uri: pathToFileURL(real).href,
          mime,
          display_name: name,
          ...(located?.status === 'present' && { size_bytes: located.stats.size }),
        },
      }),
      metadata: { ...base, ...(located && { status: located.status }), ...(found && told(found)) },
    };
    return { entry, ...(located && { located }), ...(content !== undefined && { content }) };
  };

  const take = async (): Promise<Inventory> => {
    const main = await locate(root, root.given, stage);
    const listed = new Map<GivenItem, Located>();
    for (const item of Object.values(items).flat()) {
      if (item.path !== undefined) listed.set(item, await locate(root, root.given, item.path));
    }
    const layers = items.layers.map(item => listed.get(item)).filter(each => each !== undefined);
    const walked = await walk([main, ...layers]);
    const stageReal = main.status === 'present' ? main.real : undefined;

    const byUri = new Map<string, Item>();
    const add = (item: Item): Item => {
      byUri.set(item.entry.uri, item);
      return item;
    };
    const result = {} as Record<Family, { items: Item[]; truncated: boolean }>;
    const given = { name: displayName(basename(stage)), path: stage };
    const stageItem = add(await itemOf(stageUri, 'stage', 'Primary stage', given, main, undefined));
    for (const { family, kind, one } of families) {
      const uriOf = createItemUris(family);
      const found = new Map<string, Found>();
      for (const each of walked.found) {
        // A layer that names the stage makes no second stage.
        if (each.kind === kind && realOf(each.located) !== stageReal) found.set(idOf(each.located, each.written), each);
      }
      const own: Item[] = [];
      for (const item of items[family]) {
        const located = listed.get(item);
        const id = located && idOf(located, item.name);
        const same = id === undefined ? undefined : found.get(id);
        if (id !== undefined) found.delete(id);
        own.push(add(await itemOf(uriOf(item.name), kind, one, item, located, same)));
      }
      for (const each of found.values()) {
        const name = displayName(basename(each.written));
        const path = each.located.status === 'outside' ? each.written : each.located.path;
        own.push(add(await itemOf(uriOf(name), kind, one, { name, path }, each.located, each)));
      }
      result[family] = { items: own, truncated: walked.truncated && (kind === 'layer' || kind === 'asset') };
    }
    return { stage: stageItem, families: result, byUri };
  };

  const told = ({ arcs, referencedBy }: Found): Record<string, unknown> => ({
    arcs: [...arcs].sort(),
    referenced_by: [...referencedBy].slice(0, mostReferrers),
  });

  let taking: Promise<Inventory> | undefined;
  return () => {
    taking ??= take().finally(() => {
      taking = undefined;
    });
    return taking;
  };
}

const realOf = (located: Located): string | null => (located.status === 'present' ? located.real : null);

const idOf = (located: Located, name: string): string =>
  located.status === 'present' ? located.real : located.status === 'missing' ? located.path : `outside ${name}`;

/** A `.usd` file is text or a crate; only its first bytes say which. */
async function isCrate(located: Located | undefined): Promise<boolean> {
  if (located?.status !== 'present' || !located.stats.isFile() || !/\.usd$/i.test(located.real)) return false;
  const file = await openFound(located.real).catch(() => undefined);
  try {
    const head = Buffer.alloc(8);
    await file?.read(head, 0, 8, 0);
    return head.toString('latin1') === 'PXR-USDC';
  } catch {
    return false;
  } finally {
    await file?.close();
  }
}
