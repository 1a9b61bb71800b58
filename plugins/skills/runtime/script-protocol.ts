/** What a script is given and what is read from it (shape:scripts): pure functions. */

/** Longer strings travel on stdin alone. */
const longestFlag = 8192;
/** What the system takes as a command line in all, with room to spare. */
const longestCommandLine = process.platform === 'win32' ? 24_000 : 1_000_000;

/** The parameters without the server's own, whose names start with `_`. */
export function publicParameters(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !name.startsWith('_')));
}

/** Top-level strings, numbers and booleans as `--key value`, `_` in keys as `-`. */
export function flagsOf(parameters: Record<string, unknown>, shell = false): string[] {
  const flags: string[] = [];
  let length = 0;
  for (const [name, value] of Object.entries(parameters)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) continue;
    const pair = [`--${name.replaceAll('_', '-')}`, String(value)];
    const [flag = '', text = ''] = pair;
    if (Buffer.byteLength(text) > longestFlag || pair.some(part => part.includes('\0'))) continue;
    // cmd reads these even inside quotes.
    if (shell && /["%!^&|<>()\r\n]/.test(flag + text)) continue;
    length += Buffer.byteLength(flag) + Buffer.byteLength(text) + 2;
    if (length > longestCommandLine) break;
    flags.push(flag, text);
  }
  return flags;
}

/** The result of a script: its stdout as JSON, or a success whose message is the text. */
export function parseOutput(stdout: string): unknown {
  const text = textOf(stdout);
  if (text === '') return { success: true, message: '' };
  try {
    return shown(JSON.parse(text));
  } catch {
    return { success: true, message: text };
  }
}

/**
 * What a script that ended badly says of it by itself: its `{success: false, ...}` as a result. Nothing when it printed
 * anything else: then the exit code is the news.
 */
export function parseFailure(stdout: string): unknown {
  try {
    const value: unknown = JSON.parse(textOf(stdout));
    return isFailure(value) ? shown(value) : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (stdout: string): string => stdout.replace(/^\uFEFF/, '').trim();

interface Failure {
  success: false;
  message?: unknown;
}

const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && (value as Partial<Failure>).success === false;

/** A failure with its message as the first thing to be read; anything else as it is. */
function shown(value: unknown): unknown {
  if (!isFailure(value) || typeof value.message !== 'string' || value.message === '') return value;
  const content = [value.message, JSON.stringify(value)].map(text => ({ type: 'text', text }));
  return { content, structuredContent: value, isError: true };
}
