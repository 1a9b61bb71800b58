/** The newest log lines from a level on, as objects. */

/** pino's numbers by the names of the configuration. */
export const logLevels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50 } as const;
export type LogLevel = keyof typeof logLevels;

const names = Object.fromEntries(Object.entries(logLevels).map(([name, number]) => [number, name]));

/** Reads the last `count` lines at `level` or above from `tail`, which yields JSON text, oldest first. */
export function readLogTail(
  tail: (count: number) => string[],
  count: number,
  level: LogLevel,
): Record<string, unknown>[] {
  const lowest = logLevels[level];
  const found: Record<string, unknown>[] = [];
  const lines = tail(Number.MAX_SAFE_INTEGER);
  for (let index = lines.length - 1; index >= 0 && found.length < count; index -= 1) {
    const line = parse(lines[index] ?? '');
    const number = typeof line.level === 'number' ? line.level : logLevels.info;
    if (number >= lowest) found.push({ ...line, level: names[number] ?? number });
  }
  return found.reverse();
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { msg: text };
  }
}
