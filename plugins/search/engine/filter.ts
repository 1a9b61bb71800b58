/** Which records a search may return (CONTRACT 4.1). Pure. */
import type { SearchInput } from '../api.ts';
import type { IndexedRecord } from './inverted-index.ts';
import { fold } from './tokens.ts';

type Test = (entry: IndexedRecord) => boolean;

export interface RecordFilter {
  /** Folded host types, one of which a record must have; undefined when any will do. */
  readonly hosts: ReadonlySet<string> | undefined;
  /** What a record of such a host must pass too; undefined when nothing more is asked. */
  readonly rest: Test | undefined;
  /** Both. */
  readonly admits: Test;
}

/** The filters of a search as one; undefined when there is none. `instance_id` is a full id here. */
export function filterOf(input: SearchInput, instance_id: string | undefined): RecordFilter | undefined {
  const tests: Test[] = [];
  const hosts = new Set([input.dcc_type ?? '', ...(input.dcc_types ?? [])].filter(Boolean).map(fold));
  if (instance_id !== undefined) tests.push(({ record }) => record.instance_id === instance_id);
  if (input.loaded_only) tests.push(({ record }) => record.loaded);

  const all = wanted(input.tags);
  if (all.length > 0) tests.push(({ tags }) => all.every(tag => tags.has(tag)));
  const any = wanted(input.tags_any);
  if (any.length > 0) tests.push(({ tags }) => any.some(tag => tags.has(tag)));
  const none = wanted(input.exclude_tags);
  if (none.length > 0) tests.push(({ tags }) => !none.some(tag => tags.has(tag)));

  if (tests.length === 0 && hosts.size === 0) return undefined;
  const admits: Test = entry => (hosts.size === 0 || hosts.has(entry.host)) && tests.every(test => test(entry));
  return {
    hosts: hosts.size > 0 ? hosts : undefined,
    rest: tests.length > 0 ? entry => tests.every(test => test(entry)) : undefined,
    admits,
  };
}

const wanted = (tags: readonly string[] | undefined): string[] =>
  (tags ?? []).map(tag => fold(tag.trim())).filter(Boolean);
