/** The forms of what `svc-cli` prints. */

/** Text for people, one JSON value, or one JSON value in each line. */
export type Format = 'human' | 'json' | 'ndjson';

/** Values of `--output`. */
export const outputs = ['human', 'pretty', 'json', 'ndjson'] as const;

/** What a command line asks for: text on a terminal, JSON otherwise. Read before oclif does, which may fail. */
export function formatOf(argv: readonly string[], terminal = process.stdout.isTTY === true): Format {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const given = words.flatMap((word, index) => {
    if (word === '--json') return ['json'];
    if (word === '--output') return [words[index + 1] ?? ''];
    return word.startsWith('--output=') ? [word.slice('--output='.length)] : [];
  });
  const last = given.at(-1);
  if (last === 'json' || last === 'ndjson') return last;
  return last === 'human' || last === 'pretty' || terminal ? 'human' : 'json';
}
