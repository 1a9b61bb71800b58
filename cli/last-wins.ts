/** Repeated flags of a command line. */
import type { Interfaces } from '@oclif/core';

/** The arguments with only the last of each repeated single-valued flag: `npm start -- --port 0` overrides the port. */
export function lastWins(argv: readonly string[], flags: Interfaces.FlagInput): string[] {
  const known = new Map(
    Object.entries(flags).flatMap(([name, flag]) =>
      [name, ...(flag.aliases ?? [])].map(each => [each, { name, flag }]),
    ),
  );
  const groups: { flag: string | undefined; words: string[] }[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') {
      groups.push({ flag: undefined, words: argv.slice(index) });
      break;
    }
    const [, typed = '', value] = /^--([^=]+)(=.*)?$/s.exec(word) ?? [];
    const found = known.get(typed);
    const single = found?.flag.type === 'option' && !found.flag.multiple;
    const next = single && value === undefined ? argv.slice(index + 1, index + 2) : [];
    groups.push({ flag: single ? found.name : undefined, words: [word, ...next] });
    index += next.length;
  }
  const last = new Map(groups.map(({ flag }, index) => [flag, index]));
  return groups.flatMap(({ flag, words }, index) => (flag === undefined || last.get(flag) === index ? words : []));
}
