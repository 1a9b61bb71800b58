/**
 * Records of the index by instance. A replacement changes only what differs, in slices that leave the loop free; a
 * search in between sees every record either as it was or as it is.
 */
import { createHash } from 'node:crypto';
import { createSlices } from '../../../kernel/index.ts';
import type { RankedIndex } from '../../search/api.ts';
import type { CapabilityRecord, SearchAnswer, SearchInput } from './api.ts';

interface Held {
  record: CapabilityRecord;
  digest: string;
}

export function createRecordStore(index: RankedIndex<CapabilityRecord>) {
  const instances = new Map<string, Map<string, Held>>();
  const runs = new Map<string, symbol>();
  /** Sum of the records' digests: the order in which they came does not matter. */
  let sum = 0;
  let named = { sum, text: textOf(sum) };

  const drop = (held: Map<string, Held>, slug: string): void => {
    const found = held.get(slug);
    if (!found) return;
    sum = (sum - numberOf(found.digest)) >>> 0;
    held.delete(slug);
    index.remove(found.record);
  };

  const put = (held: Map<string, Held>, record: CapabilityRecord, digest: string): void => {
    drop(held, record.tool_slug);
    held.set(record.tool_slug, { record, digest });
    sum = (sum + numberOf(digest)) >>> 0;
    index.put(record);
  };

  return {
    get size(): number {
      return index.size;
    },
    /** Content of all records, as `1:<8 hex>`. */
    get generation(): string {
      // Every answer of the gateway names it.
      if (named.sum !== sum) named = { sum, text: textOf(sum) };
      return named.text;
    },
    /** `instance_id` is the full id that the input's may be a prefix of. */
    search: (input: SearchInput, instance_id?: string): SearchAnswer => searchRecords(index, input, instance_id),
    get: (instance_id: string, slug: string): CapabilityRecord | undefined =>
      instances.get(instance_id)?.get(slug)?.record,
    ofInstance: (instance_id: string): readonly CapabilityRecord[] =>
      [...(instances.get(instance_id)?.values() ?? [])].map(each => each.record),
    /**
     * Makes the instance have exactly `records`; resolves with whether anything changed. A later call for the same
     * instance overtakes an earlier one, which then resolves early.
     */
    async replace(instance_id: string, records: readonly CapabilityRecord[]): Promise<boolean> {
      const run = Symbol(instance_id);
      runs.set(instance_id, run);
      const held = instances.get(instance_id) ?? new Map<string, Held>();
      instances.set(instance_id, held);
      const turn = createSlices();
      const overtaken = (): boolean => runs.get(instance_id) !== run;
      const wanted = new Set(records.map(each => each.tool_slug));
      let changed = false;

      for (const slug of [...held.keys()]) {
        if (wanted.has(slug)) continue;
        drop(held, slug);
        changed = true;
        await turn();
        if (overtaken()) return changed;
      }
      for (const record of records) {
        const digest = digestOf(record);
        if (held.get(record.tool_slug)?.digest !== digest) {
          put(held, record, digest);
          changed = true;
        }
        await turn();
        if (overtaken()) return changed;
      }
      runs.delete(instance_id);
      if (held.size === 0) instances.delete(instance_id);
      return changed;
    },
  };
}

/** `instance_id` is a full id. */
export function searchRecords(
  index: RankedIndex<CapabilityRecord>,
  input: SearchInput,
  instance_id?: string,
): SearchAnswer {
  const { hits, ...rest } = index.search(input, testOf(input, instance_id));
  return { ...rest, hits: hits.map(({ item, ...place }) => ({ ...item, ...place })) };
}

/** What only records have; undefined when nothing is asked of it. */
function testOf(
  { loaded_only }: SearchInput,
  id: string | undefined,
): ((record: CapabilityRecord) => boolean) | undefined {
  if (id === undefined && !loaded_only) return undefined;
  return ({ instance_id, loaded }) => (id === undefined || instance_id === id) && (loaded || !loaded_only);
}

const digestOf = (record: CapabilityRecord): string =>
  createHash('sha1').update(JSON.stringify(record)).digest('hex').slice(0, 16);

const numberOf = (digest: string): number => Number.parseInt(digest.slice(0, 8), 16);

const textOf = (sum: number): string => `1:${sum.toString(16).padStart(8, '0')}`;
