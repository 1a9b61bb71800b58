/** Rows as columns of text, and spans of time as people say them. */
import { stripVTControlCharacters, styleText } from 'node:util';

export interface Looks {
  /** Cuts the last column off where the line would be longer. */
  width?: number | undefined;
  /** Whether the head stands out. */
  colour?: boolean;
}

/** How columns look where they are printed: as lines of a terminal, and as they are anywhere else. */
export const terminalLooks = ({ isTTY, columns, hasColors }: NodeJS.WriteStream = process.stdout): Looks =>
  isTTY ? { width: columns, colour: hasColors?.() === true } : {};

/** Lines with every column as wide as its widest cell; the first row is the head. */
export function columns(given: readonly (readonly string[])[], { width, colour = false }: Looks = {}): string {
  const rows = given.map(row => row.map(plain));
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map(row => row[index]?.length ?? 0)));
  const lines = rows.map(row => {
    const line = row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
    const before = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
    // A terminal too narrow for any of the last column shows it whole, in lines of its own making.
    return width !== undefined && line.length > width && before + 10 < width ? `${line.slice(0, width - 1)}…` : line;
  });
  return lines
    .map((line, index) => (colour && index === 0 ? styleText('bold', line, { validateStream: false }) : line))
    .join('\n');
}

/** Text of somebody else without anything that a terminal would obey. */
export const printable = (text: string): string => stripVTControlCharacters(text).replaceAll(/(?![\n\t])\p{Cc}/gu, '');

/** The same in one line. */
export const plain = (text: string): string => printable(text.replaceAll(/\s+/g, ' ')).trim();

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const;

/** The time since `started`, in its largest unit. */
export function since(started: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(started)) / 1000));
  const [unit, length] = units.find(each => seconds >= each[1]) ?? (['s', 1] as const);
  return `${Math.floor(seconds / length)} ${unit}`;
}
