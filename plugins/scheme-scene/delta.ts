/** The difference of two JSON values as a bounded list of changes; array items are matched by identity where they have one. */

export interface Change {
  /** JSON pointer; array positions are those of the newer value, of the older one for a removal. */
  path: string;
  kind: 'added' | 'removed' | 'changed';
  before?: unknown;
  after?: unknown;
}

export interface Delta {
  changes: Change[];
  /** More changes exist than the list holds. */
  truncated: boolean;
}

type Json = Record<string, unknown>;

/** Most characters of JSON in the values of one delta. */
const mostText = 1_000_000;

/** Members that identify an item of an array, the first that fits wins. */
const identityFields = ['id', 'uuid', 'guid', 'path', 'name'];

/**
 * Changes from `before` to `after`, at most `limit`; stops looking once the list is full. Items with an identity that
 * only changed places make no change of their own: the array is then one changed value, so that the list tells all.
 */
export function deltaOf(before: unknown, after: unknown, limit = 128): Delta {
  const changes: Change[] = [];
  let truncated = false;
  let text = 0;

  const add = (change: Change): void => {
    text += JSON.stringify(change).length;
    if (changes.length >= limit || text > mostText) truncated = true;
    else changes.push(change);
  };

  const walk = (path: string, left: unknown, right: unknown): void => {
    if (truncated || left === right) return;
    if (Array.isArray(left) && Array.isArray(right)) walkArrays(path, left, right);
    else if (isObject(left) && isObject(right)) walkObjects(path, left, right);
    else add({ path, kind: 'changed', before: left, after: right });
  };

  const walkObjects = (path: string, left: Json, right: Json): void => {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      step(`${path}/${pointer(key)}`, left[key], right[key], Object.hasOwn(left, key), Object.hasOwn(right, key));
    }
  };

  const walkArrays = (path: string, left: unknown[], right: unknown[]): void => {
    const field = identityFields.find(each => identifies(left, each) && identifies(right, each));
    if (field === undefined) {
      for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
        step(`${path}/${index}`, left[index], right[index], index < left.length, index < right.length);
      }
      return;
    }
    const old = new Map(left.map((item, index) => [(item as Json)[field], index]));
    if (reordered(old, right, field)) {
      add({ path, kind: 'changed', before: left, after: right });
      return;
    }
    right.forEach((item, index) => {
      const found = old.get((item as Json)[field]);
      old.delete((item as Json)[field]);
      step(`${path}/${index}`, found === undefined ? undefined : left[found], item, found !== undefined, true);
    });
    for (const index of old.values()) step(`${path}/${index}`, left[index], undefined, true, false);
  };

  const step = (path: string, left: unknown, right: unknown, had: boolean, has: boolean): void => {
    if (truncated) return;
    if (had && has) walk(path, left, right);
    else if (has) add({ path, kind: 'added', after: right });
    else add({ path, kind: 'removed', before: left });
  };

  walk('', before, after);
  return { changes, truncated };
}

/** Whether items that both arrays have stand in another order. */
function reordered(old: ReadonlyMap<unknown, number>, right: unknown[], field: string): boolean {
  let last = -1;
  for (const item of right) {
    const index = old.get((item as Json)[field]);
    if (index === undefined) continue;
    if (index < last) return true;
    last = index;
  }
  return false;
}

function identifies(items: unknown[], field: string): boolean {
  const seen = new Set<unknown>();
  for (const item of items) {
    const value = isObject(item) ? item[field] : undefined;
    if ((typeof value !== 'string' && typeof value !== 'number') || seen.has(value)) return false;
    seen.add(value);
  }
  return items.length > 0;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
