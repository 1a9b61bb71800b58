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

/** What is to do in one container: gives a container inside it to go into first, or undefined where it may be left. */
interface Walk extends Generator<Walk | undefined, void, void> {}

/** Most characters of JSON in the values of one delta. */
const mostText = 1_000_000;

/** Members that identify an item of an array, the first that fits wins. */
const identityFields = ['id', 'uuid', 'guid', 'path', 'name'];

/** Items of one container between two points where the comparison may be left. */
const stride = 128;

/**
 * Compares `before` and `after`: at most `limit` changes, and it stops looking once the list is full. Items with an
 * identity that only changed places make no change of their own: the array is then one changed value, so that the list
 * tells all. The containers that are open stand in a list of ours: depth costs no stack.
 */
export function createComparison(before: unknown, after: unknown, limit = 128) {
  const changes: Change[] = [];
  let truncated = false;
  let text = 0;

  const add = (change: Change): void => {
    text += JSON.stringify(change).length;
    if (changes.length >= limit || text > mostText) truncated = true;
    else changes.push(change);
  };

  /** Notes what differs at once; two containers of one kind are a walk of their own. */
  const pair = (path: string, left: unknown, right: unknown): Walk | undefined => {
    if (Array.isArray(left) && Array.isArray(right)) {
      return isObject(left[0]) && isObject(right[0])
        ? walkRecords(path, left, right)
        : walkPositions(path, left, right);
    }
    if (isObject(left) && isObject(right)) return walkObjects(path, left, right);
    add({ path, kind: 'changed', before: left, after: right });
    return undefined;
  };

  function* walkObjects(path: string, left: Json, right: Json): Walk {
    let count = 0;
    for (const key of Object.keys(left)) {
      if (!Object.hasOwn(right, key)) add({ path: member(path, key), kind: 'removed', before: left[key] });
      else if (left[key] !== right[key]) {
        const inner = pair(member(path, key), left[key], right[key]);
        if (inner) yield inner;
      }
      count += 1;
      if (count % stride === 0) yield;
    }
    for (const key of Object.keys(right)) {
      if (!Object.hasOwn(left, key)) add({ path: member(path, key), kind: 'added', after: right[key] });
      count += 1;
      if (count % stride === 0) yield;
    }
  }

  function* walkRecords(path: string, left: unknown[], right: unknown[]): Walk {
    const field = (yield* aligned(left, right)) ? undefined : yield* identityOf(left, right);
    if (field === undefined) yield* walkPositions(path, left, right);
    else yield* walkIdentities(path, left, right, field);
  }

  function* walkPositions(path: string, left: unknown[], right: unknown[]): Walk {
    for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
      if (index >= right.length) add({ path: `${path}/${index}`, kind: 'removed', before: left[index] });
      else if (index >= left.length) add({ path: `${path}/${index}`, kind: 'added', after: right[index] });
      else if (left[index] !== right[index]) {
        const inner = pair(`${path}/${index}`, left[index], right[index]);
        if (inner) yield inner;
      }
      if (index % stride === stride - 1) yield;
    }
  }

  function* walkIdentities(path: string, left: unknown[], right: unknown[], field: string): Walk {
    const old = new Map<unknown, number>();
    for (const [index, item] of left.entries()) {
      old.set((item as Json)[field], index);
      if (index % stride === stride - 1) yield;
    }
    let last = -1;
    for (const [position, item] of right.entries()) {
      const index = old.get((item as Json)[field]) ?? last;
      if (index < last) {
        add({ path, kind: 'changed', before: left, after: right });
        return;
      }
      last = index;
      if (position % stride === stride - 1) yield;
    }
    for (const [position, item] of right.entries()) {
      const index = old.get((item as Json)[field]);
      if (index === undefined) add({ path: `${path}/${position}`, kind: 'added', after: item });
      else {
        old.delete((item as Json)[field]);
        const inner = pair(`${path}/${position}`, left[index], item);
        if (inner) yield inner;
      }
      if (position % stride === stride - 1) yield;
    }
    for (const index of old.values()) {
      add({ path: `${path}/${index}`, kind: 'removed', before: left[index] });
      if (truncated) yield;
    }
  }

  const root = before === after ? undefined : pair('', before, after);
  const open = root ? [root] : [];

  return {
    /** Goes on until `pause` says true; the delta once all is compared, undefined before. */
    run(pause: () => boolean): Delta | undefined {
      for (let top = open.at(-1); top && !truncated; top = open.at(-1)) {
        const { done, value } = top.next();
        if (done) open.pop();
        else if (value) open.push(value);
        if (pause()) return undefined;
      }
      return { changes, truncated };
    },
  };
}

/** Whether the items of both arrays have one identity at each position: then the position tells them apart, too. */
function* aligned(left: unknown[], right: unknown[]): Generator<undefined, boolean, void> {
  if (left.length !== right.length) return false;
  const field = identityFields.find(each => Object.hasOwn(left[0] as Json, each));
  if (field === undefined) return false;
  for (const [index, item] of left.entries()) {
    const other = right[index];
    if (!isObject(item) || !isObject(other) || !isName(item[field]) || item[field] !== other[field]) return false;
    if (index % stride === stride - 1) yield;
  }
  return true;
}

/** The member by which the items of both arrays can be told apart. */
function* identityOf(left: unknown[], right: unknown[]): Generator<undefined, string | undefined, void> {
  for (const field of identityFields) {
    if ((yield* identifies(left, field)) && (yield* identifies(right, field))) return field;
  }
  return undefined;
}

function* identifies(items: unknown[], field: string): Generator<undefined, boolean, void> {
  const seen = new Set<unknown>();
  for (const item of items) {
    const value = isObject(item) ? item[field] : undefined;
    if (!isName(value) || seen.has(value)) return false;
    seen.add(value);
    if (seen.size % stride === 0) yield;
  }
  return items.length > 0;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isName = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

const member = (path: string, key: string): string =>
  `${path}/${/[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key}`;
