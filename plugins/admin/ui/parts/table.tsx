/** A list of any length: only the rows in sight exist. Arrow keys move, Enter opens. */
import type { ComponentChildren, TargetedEvent, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Column<Row> {
  title: string;
  /** Of a grid: `80px`, `1fr`, `minmax(120px, 2fr)`. */
  width: string;
  /** Not shown where there is little room. */
  wide?: boolean;
  align?: 'end';
  mono?: boolean;
  cell(row: Row): ComponentChildren;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** Of the row that is open. */
  selected?: string | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  /** The end of the list came into sight. */
  onEnd?: (() => void) | undefined;
  toneOf?: (row: Row) => string;
}

const lineHeight = 22;
const headSpace = 8;
const rowSpace = 12;
const spare = 8;
/** Room that all columns need. */
const enough = 760;

/** Of all columns together. */
const leastWidth = (columns: readonly { width: string }[]): number =>
  columns.reduce((sum, { width }) => sum + Number(/\d+(?=px)/.exec(width)?.[0] ?? 0), 0);

export function Table<Row>({ label, columns, rows, keyOf, selected, onOpen, onEnd, toneOf }: TableProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600, width: 0, gap: 0, side: 0 });
  const [active, setActive] = useState<string>();
  const head = useRef<string>(undefined);
  const shown = view.width < enough ? columns.filter(each => !each.wide) : columns;
  // Two to a line where they do not fit side by side.
  const stacked = leastWidth(shown) + view.gap * (shown.length - 1) + 2 * view.side > view.width && view.width > 0;
  const lines = stacked ? Math.ceil(shown.length / 2) : 1;
  const rowHeight = rowSpace + lines * lineHeight;
  const gridTemplateColumns = stacked ? 'minmax(0, 1fr) fit-content(60%)' : shown.map(each => each.width).join(' ');
  const grid = { gridTemplateColumns, height: `${rowHeight}px` };

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const { columnGap, paddingLeft } = getComputedStyle(element.firstElementChild ?? element);
      const between = { gap: Number.parseFloat(columnGap), side: Number.parseFloat(paddingLeft) };
      setView(({ top }) => ({ top, height: element.clientHeight, width: element.clientWidth, ...between }));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Rows that come in above do not move what somebody reads.
  useLayoutEffect(() => {
    const element = box.current;
    const before = head.current;
    const newest = rows[0];
    head.current = newest === undefined ? undefined : keyOf(newest);
    if (!element || before === undefined || before === head.current || element.scrollTop < rowHeight) return;
    const added = rows.findIndex(each => keyOf(each) === before);
    if (added > 0) element.scrollTop += added * rowHeight;
  }, [rows]);

  const from = Math.max(0, Math.floor(view.top / rowHeight) - spare);
  const to = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + spare);
  const visible = rows.slice(from, to);
  const stop = visible.some(each => keyOf(each) === active) ? active : visible[0] && keyOf(visible[0]);

  const onScroll = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: TargetedEvent<HTMLElement>) => {
    setView(before => ({ ...before, top: scrollTop, height: clientHeight }));
    if (scrollTop + clientHeight > scrollHeight - 5 * rowHeight) onEnd?.();
  };

  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const at = rows.findIndex(each => keyOf(each) === stop);
    const row = rows[at];
    if (event.key === 'Enter' && row && event.target === event.currentTarget) {
      onOpen?.(row);
      return;
    }
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 2);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const ends: Record<string, number> = { Home: 0, End: rows.length - 1 };
    const step = steps[event.key];
    const next = ends[event.key] ?? (step === undefined ? undefined : at + step);
    if (next === undefined || rows.length === 0) return;
    event.preventDefault();
    focusRow(Math.max(0, Math.min(rows.length - 1, next)));
  };

  const focusRow = (index: number): void => {
    const row = rows[index];
    const element = box.current;
    if (!row || !element) return;
    const top = index * rowHeight;
    const room = element.clientHeight - rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + room) element.scrollTop = top + rowHeight - room;
    setActive(keyOf(row));
    requestAnimationFrame(() =>
      requestAnimationFrame(() => element.querySelector<HTMLElement>('[data-active]')?.focus()),
    );
  };

  return (
    <div
      class={`table ${stacked ? 'is-stacked' : ''}`}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      ref={box}
      onScroll={onScroll}
      tabIndex={-1}
    >
      <div
        class="table-head"
        role="row"
        aria-rowindex={1}
        style={{ ...grid, height: `${headSpace + lines * lineHeight}px` }}
      >
        {shown.map(each => (
          <div key={each.title} role="columnheader" class={each.align === 'end' ? 'is-end' : ''}>
            {each.title}
          </div>
        ))}
      </div>
      <div class="table-rows" role="rowgroup" style={{ height: `${rows.length * rowHeight}px` }}>
        {visible.map((row, index) => {
          const key = keyOf(row);
          return (
            <div
              key={key}
              role="row"
              aria-rowindex={from + index + 2}
              aria-selected={key === selected}
              class={`table-row ${onOpen ? 'is-open-able' : ''} ${toneOf?.(row) ?? ''}`}
              style={{ ...grid, transform: `translateY(${(from + index) * rowHeight}px)` }}
              tabIndex={key === stop ? 0 : -1}
              data-active={key === stop ? '' : undefined}
              onFocus={() => setActive(key)}
              onClick={() => onOpen?.(row)}
              onKeyDown={onKeyDown}
            >
              {shown.map(each => (
                <div key={each.title} role="gridcell" class={classOf(each)}>
                  {each.cell(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const classOf = ({ align, mono }: { align?: 'end'; mono?: boolean }): string =>
  `${align === 'end' ? 'is-end' : ''} ${mono ? 'mono' : ''}`;
