/** What a benchmark is, and how its two sides are taken in turns. */

export interface BenchOptions {
  /** Seconds per sample. */
  seconds: number;
  /** How often each side is taken, or a round is made. */
  rounds: number;
  /** Load and unload cycles of `skill-cycles`. */
  cycles: number;
}

export interface Row {
  what: string;
  /** Ours, with its unit. */
  ours: string;
  /** What it is held against; absent for an absolute figure. */
  other?: string;
  /** The figure that the target speaks of. */
  figure: string;
  target: string;
}

export interface Bench {
  readonly name: string;
  /** One line for the head of the table. */
  readonly title: string;
  /** Rounds where the command line does not say how many; default 3. */
  readonly rounds?: number;
  run(options: BenchOptions): Promise<Row[]>;
}

export type Sides<K extends string> = Record<K, () => Promise<number>>;

/** Takes every side once per round, in turns (ABBA...), and returns the median of each. */
export async function interleave<K extends string>(sides: Sides<K>, rounds: number): Promise<Record<K, number>> {
  const names = Object.keys(sides) as K[];
  const taken = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    // What a side does after its sample falls into that of the next: each is before and behind each other.
    for (const name of round % 2 === 0 ? names : names.toReversed()) taken[name].push(await sides[name]());
  }
  return Object.fromEntries(names.map(name => [name, median(taken[name])])) as Record<K, number>;
}

export const median = (values: readonly number[]): number => percentile(values, 50);

/** Nearest-rank percentile; NaN for no values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 3 : 1)} ms`;
export const rate = (value: number): string => `${Math.round(value).toLocaleString('en')} req/s`;
export const ratio = (value: number): string => `${value.toFixed(2)}x`;
export const megabytes = (bytes: number): string => `${(bytes / 1048576).toFixed(1)} MiB`;
