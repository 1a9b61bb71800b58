/** Prints what a benchmark found: both sides, the figure, the target. Judges nothing. */
import Table from 'cli-table3';
import type { Row } from './bench.ts';

export function formatTable(title: string, rows: readonly Row[]): string {
  const table = new Table({
    head: ['what', 'ours', 'other side', 'figure', 'target'],
    style: { head: [], border: [] },
  });
  for (const { what, ours, other = '', figure, target } of rows) table.push([what, ours, other, figure, target]);
  return `${title}\n${table.toString()}`;
}
