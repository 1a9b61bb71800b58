/** Which items a search may return: host types and tags in any case of letters, and what else the room asks. Pure. */
import type { SearchFilter, SearchShape } from '../api.ts';
import { fold } from './tokens.ts';

interface Facets {
  /** Folded. */
  readonly host: string;
  readonly tags: ReadonlySet<string>;
}

export interface ItemFilter<E extends Facets> {
  /** Folded host types, one of which an item must have; undefined when any will do. */
  readonly hosts: ReadonlySet<string> | undefined;
  /** What an item of such a host must pass too; undefined when nothing more is asked. */
  readonly rest: ((entry: E) => boolean) | undefined;
  /** Both. */
  readonly admits: (entry: E) => boolean;
}

/** The filters of a search as one; undefined when there is none. */
export function filterOf<E extends Facets>(
  input: SearchFilter,
  also: ((entry: E) => boolean) | undefined,
): ItemFilter<E> | undefined {
  const tests: ((entry: E) => boolean)[] = [];
  const hosts = new Set([input.dcc_type ?? '', ...(input.dcc_types ?? [])].filter(Boolean).map(fold));
  const all = wanted(input.tags);
  if (all.length > 0) tests.push(({ tags }) => all.every(tag => tags.has(tag)));
  const any = wanted(input.tags_any);
  if (any.length > 0) tests.push(({ tags }) => any.some(tag => tags.has(tag)));
  const none = wanted(input.exclude_tags);
  if (none.length > 0) tests.push(({ tags }) => !none.some(tag => tags.has(tag)));
  if (also) tests.push(also);

  if (tests.length === 0 && hosts.size === 0) return undefined;
  const rest = (entry: E): boolean => tests.every(test => test(entry));
  return {
    hosts: hosts.size > 0 ? hosts : undefined,
    rest: tests.length > 0 ? rest : undefined,
    admits: entry => (hosts.size === 0 || hosts.has(entry.host)) && rest(entry),
  };
}

const wanted = (tags: readonly string[] | undefined): string[] =>
  (tags ?? []).map(tag => fold(tag.trim())).filter(Boolean);

/** What a filter asks of an item. */
export const facetsOf = <T>({ hostOf, tagsOf }: Pick<SearchShape<T>, 'hostOf' | 'tagsOf'>, item: T): Facets => ({
  host: fold(hostOf?.(item) ?? ''),
  tags: new Set((tagsOf?.(item) ?? []).map(fold)),
});
