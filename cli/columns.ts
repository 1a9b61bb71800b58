/** Rows as columns of text, and spans of time as people say them. */

/** Lines with every column as wide as its widest cell; the first row is the head. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map(row => row[index]?.length ?? 0)));
  const line = (row: readonly string[]): string => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ');
  return rows.map(row => line(row).trimEnd()).join('\n');
}

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
