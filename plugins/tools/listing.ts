/**
 * tools/list: what is listed, in which order and pages, and the cache of encoded pages per table generation
 * (specification: Tool-list cache). Sessions hold nothing: every one of them gets the same bytes.
 */
import { badCursor, decodeCursor, encodeCursor, RawBytes } from '../../kernel/index.ts';
import type { ReceiptForm, ToolRecord, ToolStub } from './api.ts';
import { namePattern } from './definition.ts';
import { detailedEntry } from './detailed-entry.ts';
import { type EntryShape, stubEntry, toolEntry } from './entry.ts';
import type { Groups } from './groups.ts';
import { listedOutput } from './receipts.ts';
import type { RegisteredTool, ToolTable } from './tool-table.ts';

/** Tools that lazy-actions mode lists instead of every tool. */
export const lazyTools: readonly string[] = ['list_actions', 'describe_action', 'call_action'];

/** What is listed and how: as a revision shows it, or as a gateway asks for it. */
export type ListShape = EntryShape | 'detailed';

export interface ListingDeps {
  table: ToolTable;
  groups: Groups;
  /** Sources of `__skill__` stubs. */
  stubSources: Iterable<() => readonly ToolStub[]>;
  pageSize: number;
  /** `enable_tool_cache` of the configuration. */
  cached: boolean;
  /** `lazy_actions` of the configuration. */
  lazy: boolean;
  /** What a call that became a background job answers with. */
  receipt(): ReceiptForm | undefined;
}

type Item = ToolRecord | ToolStub | RegisteredTool;

interface Snapshot {
  generation: number;
  items: Item[];
  pages: Map<string, RawBytes>;
}

export type Listing = ReturnType<typeof createListing>;

export function createListing(deps: ListingDeps) {
  const { table, groups, stubSources, pageSize, cached, lazy, receipt } = deps;
  const kept = new Map<'listed' | 'detailed', Snapshot>();

  const stubs = (): ToolStub[] => {
    const inactive = new Map<string, ToolStub>();
    const populated = new Set(table.list().map(each => each.group));
    for (const group of groups.list()) {
      if (group.active || !populated.has(group) || inactive.has(group.name)) continue;
      const description = group.description || `Inactive tool group ${group.name}: activate it to list its tools.`;
      inactive.set(group.name, { name: `__group__${group.name}`, description });
    }
    const skills = [...stubSources].flatMap(source => [...source()]).filter(each => namePattern.test(each.name));
    return [...sorted([...inactive.values()]), ...sorted(skills)];
  };

  const items = (): Item[] => {
    const active = table.list().filter(each => each.group?.active !== false);
    const records = active.map(each => each.record);
    if (lazy) return records.filter(each => each.source === 'builtin' && lazyTools.includes(each.name));
    return [...records, ...stubs()];
  };

  const detailed = (): Item[] => table.list().filter(each => each.record.source !== 'builtin');

  const build = (shape: ListShape): Snapshot => ({
    generation: table.generation,
    items: shape === 'detailed' ? detailed() : items(),
    pages: new Map(),
  });

  const current = (shape: ListShape): Snapshot => {
    const kind = shape === 'detailed' ? 'detailed' : 'listed';
    const known = kept.get(kind);
    if (known?.generation === table.generation) return known;
    const made = build(shape);
    kept.set(kind, made);
    return made;
  };

  return {
    /** One page; `refresh` builds it anew for this request only. Throws -32602 for a cursor that is not ours. */
    page(shape: ListShape, cursor: unknown, refresh: boolean): RawBytes {
      const reuse = cached && !refresh;
      const snapshot = reuse ? current(shape) : build(shape);
      const offset = cursor === undefined ? 0 : offsetOf(cursor, snapshot, pageSize);
      const key = `${shape}:${offset}`;
      const known = snapshot.pages.get(key);
      if (known) return known;
      const page = encodePage(snapshot, offset, pageSize, shape, receipt());
      if (reuse) snapshot.pages.set(key, page);
      return page;
    },
    /** Group and skill stubs of now, in list order. */
    stubs,
  };
}

function encodePage(
  { generation, items }: Snapshot,
  offset: number,
  size: number,
  shape: ListShape,
  receipt: ReceiptForm | undefined,
): RawBytes {
  const tools = items.slice(offset, offset + size).map(item => encodeItem(item, shape, receipt));
  const next = offset + size;
  return new RawBytes(
    JSON.stringify({
      tools,
      ...(next < items.length && { nextCursor: encodeCursor(generation, next) }),
      ...(shape === 'detailed' && { _meta: { dcc: { capabilities: true } } }),
    }),
  );
}

function encodeItem(item: Item, shape: ListShape, receipt: ReceiptForm | undefined): Record<string, unknown> {
  if ('record' in item) return detailedEntry(item, listedOutput(item.record, receipt));
  if (!('action' in item)) return stubEntry(item);
  return toolEntry(item, shape === 'detailed' ? 'titled' : shape, listedOutput(item, receipt));
}

/** A cursor of an earlier generation goes on where it stood: the client hears of the change by list_changed. */
function offsetOf(cursor: unknown, { generation, items }: Snapshot, size: number): number {
  const [made = 0, offset = 0] = decodeCursor(cursor, 2);
  const ours = made <= generation && offset > 0 && offset % size === 0;
  if (!ours || (made === generation && offset >= items.length)) throw badCursor();
  return offset;
}

function sorted(stubs: ToolStub[]): ToolStub[] {
  return stubs.sort((a, b) => (a.name < b.name ? -1 : 1));
}
