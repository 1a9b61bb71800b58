/** Which records a search may return (CONTRACT 4.1). Pure. */
import type { SearchInput } from './api.ts';
import type { IndexedRecord } from './inverted-index.ts';
import { fold } from './tokens.ts';

export type RecordFilter = (entry: IndexedRecord) => boolean;

/** The filters of a search as one; undefined when there is none. `instance_id` is a full id here. */
export function filterOf(input: SearchInput, instance_id: string | undefined): RecordFilter | undefined {
  const tests: RecordFilter[] = [];
  const hosts = new Set([input.dcc_type ?? '', ...(input.dcc_types ?? [])].filter(Boolean).map(fold));
  if (hosts.size > 0) tests.push(({ host }) => hosts.has(host));
  if (instance_id !== undefined) tests.push(({ record }) => record.instance_id === instance_id);
  if (input.loaded_only) tests.push(({ record }) => record.loaded);

  const all = wanted(input.tags);
  if (all.length > 0) tests.push(({ tags }) => all.every(tag => tags.has(tag)));
  const any = wanted(input.tags_any);
  if (any.length > 0) tests.push(({ tags }) => any.some(tag => tags.has(tag)));
  const none = wanted(input.exclude_tags);
  if (none.length > 0) tests.push(({ tags }) => !none.some(tag => tags.has(tag)));

  const [first] = tests;
  if (first === undefined) return undefined;
  return tests.length === 1 ? first : entry => tests.every(test => test(entry));
}

const wanted = (tags: readonly string[] | undefined): string[] =>
  (tags ?? []).map(tag => fold(tag.trim())).filter(Boolean);
