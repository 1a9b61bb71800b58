/** What a host gives as a project, checked: it may come from plain JavaScript, across a port. */

import { realpath, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { UsdItem, UsdProject } from './api.ts';
import { locate, type Root } from './confinement.ts';
import { usdErrors } from './errors.ts';
import { displayName, type Family, families } from './families.ts';

const mostItems = 10_000;
const projectKeys = ['project_root', 'stage', 'project_label', ...families.map(each => each.family)];
const itemKeys = ['name', 'path', 'content', 'description', 'mime_type'];

/** An item as given: at least a name, and a file, content, or neither. */
export interface GivenItem {
  name: string;
  /** Absolute. */
  path?: string;
  content?: unknown;
  description?: string;
  mime?: string;
}

export interface Given {
  root: Root;
  label: string;
  stage: string;
  items: Readonly<Record<Family, readonly GivenItem[]>>;
}

/** Throws SVC_OPENUSD_BAD_PROJECT or SVC_OPENUSD_OUTSIDE. */
export async function checkedProject(project: UsdProject): Promise<Given> {
  const { project_root, stage, project_label } = (project ?? {}) as Partial<UsdProject>;
  assertKnown('a project', project, projectKeys);
  const given = resolve(textOf('project_root', project_root));
  const real = await realpath(given).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory()) throw bad('"project_root" is no folder');
  const root = { given, real };
  const main = textOf('stage', stage);
  const found = await locate(root, given, main);
  if (found.status === 'outside') throw usdErrors.OUTSIDE({ name: `The stage "${main}"` });
  if (found.status === 'missing' || !found.stats.isFile()) throw bad(`the stage "${main}" is no file`);
  const label = project_label === undefined ? basename(real) || 'USD project' : textOf('project_label', project_label);
  const items = {} as Record<Family, readonly GivenItem[]>;
  for (const { family } of families) items[family] = await itemsOf(root, family, project[family]);
  return { root, label: displayName(label), stage: found.path, items };
}

async function itemsOf(root: Root, family: Family, given: unknown): Promise<GivenItem[]> {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given) || given.length > mostItems)
    throw bad(`"${family}" must be an array of at most ${mostItems}`);
  const items: GivenItem[] = [];
  for (const each of given) items.push(await itemOf(root, family, each as UsdItem));
  return items;
}

async function itemOf(root: Root, family: Family, given: UsdItem): Promise<GivenItem> {
  const item = typeof given === 'string' ? { path: given } : given;
  if (typeof item !== 'object' || item === null) throw bad(`an item of "${family}" must be a path or an object`);
  assertKnown(`an item of "${family}"`, item, itemKeys);
  const text = (key: 'name' | 'path' | 'description' | 'mime_type'): string | undefined => {
    const value = item[key];
    return value === undefined || value === null ? undefined : textOf(`${family}[].${key}`, value);
  };
  const written = text('path');
  const name = text('name') ?? (written === undefined ? undefined : basename(written));
  if (name === undefined) throw bad(`an item of "${family}" needs a "path" or a "name"`);
  const description = text('description');
  const mime = text('mime_type');
  const rest = { ...(description !== undefined && { description }), ...(mime !== undefined && { mime }) };
  if (written === undefined) {
    return { name: displayName(name), ...(item.content !== undefined && { content: item.content }), ...rest };
  }
  const found = await locate(root, root.given, written);
  if (found.status === 'outside') throw usdErrors.OUTSIDE({ name: `"${written}" of "${family}"` });
  return { name: displayName(name), path: found.path, ...rest };
}

function assertKnown(what: string, given: object, known: readonly string[]): void {
  const foreign = Object.keys(given ?? {}).filter(name => !known.includes(name));
  if (foreign.length > 0) throw bad(`${what} has no "${foreign.join('", "')}": it has ${known.join(', ')}`);
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= 4096 && !value.includes('\0')) return value;
  throw bad(`"${name}" must be a text of 1 to 4096 characters`);
}

const bad = (reason: string) => usdErrors.BAD_PROJECT({ reason });
