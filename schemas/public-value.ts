/** A value as the public may read it: what a key says it is goes whole, and every text is cleaned. Pure. */
import { isSecretKey, publicText } from './redaction.ts';

/** What stands under such a key is nobody's business, whatever it is. */
const private_: readonly (readonly [key: RegExp, mark: string])[] = [
  [/path|directory|(?:^|_)dir$/i, '[path-redacted]'],
  [/(?:^|_)ur[il]$/i, '[url-redacted]'],
  [/(?:^|_)(?:host|hostname|port|addr|address|bind|endpoint)$/i, '[endpoint-redacted]'],
  [/(?:^|_)pid$|_id$/i, '[id-redacted]'],
];

export interface PublicOptions {
  /** Words that may not be in it. */
  names?: readonly string[];
  /** Keys whose values are told for themselves: they are cleaned as texts are. */
  told?: readonly string[];
  clean?: (text: string) => string;
}

const mostDepth = 32;

export function publicValue(value: unknown, options: PublicOptions = {}, depth = 0): unknown {
  const { names = [], told = [], clean = text => publicText(text, names) } = options;
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= mostDepth) return '[redacted]';
  if (Array.isArray(value)) return value.map(each => publicValue(each, options, depth + 1));
  const members = Object.entries(value).map(([key, each]) => {
    const mark = told.includes(key) || each === null ? undefined : markOf(key, each);
    return [clean(key), mark ?? publicValue(each, options, depth + 1)] as const;
  });
  return Object.fromEntries(members);
}

function markOf(key: string, value: unknown): string | undefined {
  // Numbers of tokens are none.
  if (isSecretKey(key)) return typeof value === 'string' || typeof value === 'object' ? '[auth-redacted]' : undefined;
  if (typeof value === 'object' || typeof value === 'boolean') return undefined;
  return private_.find(([pattern]) => pattern.test(key))?.[1];
}

/** A command line: options that name a secret lose their values, and what leads to a file is gone. */
export function publicCommand(argv: readonly string[], names: readonly string[] = []): string[] {
  return argv.map((word, index) => {
    const before = argv[index - 1] ?? '';
    if (isSecretOption(before) && !before.includes('=')) return '[auth-redacted]';
    const [, option = '', value] = /^([\w.-]*=|\/[a-z]+:)?(.*)$/is.exec(word) ?? [];
    if (value !== undefined && option !== '' && isSecretKey(option)) return `${option}[auth-redacted]`;
    const clean = publicText(word, names);
    if (clean !== word) return clean;
    return value !== undefined && isFile(value) ? `${option}[path-redacted]` : word;
  });
}

const isSecretOption = (word: string): boolean =>
  /^(?:--?|\/)/.test(word) && (isSecretKey(word) || word === '-u' || word === '-p');

/** With a folder, or with the ending of a file. */
const isFile = (word: string): boolean => /[\\/]/.test(word) || /^\.|\.[a-z]\w{0,5}$/i.test(word);
