/** One thing that was looked at, and what was found. */
export interface Check {
  check: string;
  level: 'ok' | 'warning' | 'error';
  message: string;
  /** What to run next; every finding has one. */
  next?: string;
}

export const ok = (check: string, message: string): Check => ({ check, level: 'ok', message });

export const warning = (check: string, message: string, next: string): Check => ({
  ...{ check, level: 'warning', message },
  next,
});

export const failed = (check: string, message: string, next: string): Check => ({
  ...{ check, level: 'error', message },
  next,
});

/** A path as a shell takes it. */
export const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;
