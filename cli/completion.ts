/** Completion scripts made from oclif's manifest: the shell asks nobody when the key is pressed. */
import type { Config } from '@oclif/core';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

interface Completed {
  /** As it is typed. */
  command: string;
  summary: string;
  /** What its first argument can be, where that is known. */
  words: readonly string[];
  flags: { name: string; description: string; values: readonly string[]; takesValue: boolean }[];
}

const firstLine = (text = ''): string => text.split('\n')[0]?.replaceAll(/["'`\\$[\]:]/g, '') ?? '';

function completedOf(config: Config): Completed[] {
  const top = [...new Set(config.commands.map(each => each.id.split(':')[0] ?? ''))];
  return config.commands
    .filter(each => !each.hidden)
    .flatMap(each => [each.id, ...each.aliases].map(id => ({ ...each, id })))
    .map(({ id, summary, flags, args }) => ({
      command: id.replaceAll(':', ' '),
      summary: firstLine(summary),
      words: id === 'help' ? top : (Object.values(args)[0]?.options ?? []),
      flags: Object.values(flags)
        .filter(each => !each.hidden)
        .map(flag => ({
          name: `--${flag.name}`,
          description: firstLine(flag.description),
          values: flag.type === 'option' ? (flag.options ?? []) : [],
          takesValue: flag.type === 'option',
        })),
    }));
}

/** The script that a shell reads. */
export function completionScript(shell: Shell, config: Config): string {
  const commands = completedOf(config);
  return { bash, zsh, fish }[shell](config.bin, commands);
}

/** Words that may follow what was typed: the next word of each command that begins so. */
function following(commands: readonly Completed[]): Map<string, string[]> {
  const next = new Map<string, string[]>(
    commands.flatMap(({ command, words }) => (words.length > 0 ? [[command, [...words]]] : [])),
  );
  for (const { command } of commands) {
    const words = command.split(' ');
    for (const [index, word] of words.entries()) {
      const before = words.slice(0, index).join(' ');
      next.set(before, [...new Set([...(next.get(before) ?? []), word])]);
    }
  }
  return next;
}

/** Sets `typed` to the command that is typed, without its arguments: a case of the words that begin one. */
function typedCommand(commands: readonly Completed[]): string {
  const begun = new Set(
    commands.flatMap(({ command }) => {
      const words = command.split(' ');
      return words.map((_, index) => words.slice(0, index + 1).join(' '));
    }),
  );
  const known = [...begun].map(each => `'${each}'`).join('|');
  return `case "\${typed:+$typed }$word" in ${known}) typed="\${typed:+$typed }$word" ;; *) break ;; esac`;
}

function bash(bin: string, commands: readonly Completed[]): string {
  const name = `_${bin.replaceAll('-', '_')}`;
  const words = [...following(commands)].map(([before, next]) => `    '${before}') words='${next.join(' ')}' ;;`);
  const flags = commands.map(
    each => `    '${each.command}') flags='${each.flags.map(flag => flag.name).join(' ')}' ;;`,
  );
  const valued = commands.flatMap(({ command, flags: all }) =>
    all
      .filter(each => each.values.length > 0)
      .map(
        each =>
          `    '${command} ${each.name}') COMPREPLY=($(compgen -W '${each.values.join(' ')}' -- "$current")); return ;;`,
      ),
  );
  return `# ${bin} completion for bash: put this into a file of your completions, or eval it in ~/.bashrc
${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" typed='' words='' flags='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    ${typedCommand(commands)}
  done
  case "$typed" in
${words.join('\n')}
  esac
  case "$typed" in
${flags.join('\n')}
    '') flags='--help --version' ;;
  esac
  case "$typed $previous" in
${valued.join('\n')}
  esac
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$flags --help" -- "$current"))
  elif [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$current"))
  else COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F ${name} ${bin}
`;
}

function zsh(bin: string, commands: readonly Completed[]): string {
  const name = `_${bin.replaceAll('-', '_')}`;
  const top = commands.map(({ command, summary }) => [
    command.split(' ')[0],
    command.includes(' ') ? 'more commands' : summary,
  ]);
  const first = [...new Map(top as [string, string][])].map(([word, summary]) => `    '${word}:${summary}'`);
  const topics = [...following(commands)].filter(([before]) => before !== '');
  const nested = topics.map(([before, next]) => `      '${before}') compadd -- ${next.join(' ')}; return ;;`);
  const flags = commands.map(({ command, flags: all }) => {
    const specs = all.map(
      flag =>
        `'${flag.name}[${flag.description}]${flag.takesValue ? `:value:${flag.values.length > 0 ? `(${flag.values.join(' ')})` : '_files'}` : ''}'`,
    );
    return `    '${command}') _arguments ${specs.join(' ')} '*:file:_files' ;;`;
  });
  return `#compdef ${bin}
# ${bin} completion for zsh: put this into a folder of your fpath as ${name}, or eval it in ~/.zshrc
${name}() {
  local -a first
  local typed='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    ${typedCommand(commands)}
  done
  first=(
${first.join('\n')}
  )
  if [[ "$PREFIX" != -* && "\${words[CURRENT-1]}" != --* ]]; then
    case "$typed" in
      '') _describe command first; return ;;
${nested.join('\n')}
    esac
  fi
  case "$typed" in
    '') _arguments '--help[show help]' '--version[show the version]' ;;
${flags.join('\n')}
    *) _files ;;
  esac
}
if [[ "$funcstack[1]" == "${name}" ]]; then ${name} "$@"; else compdef ${name} ${bin}; fi
`;
}

function fish(bin: string, commands: readonly Completed[]): string {
  const under = (words: string): string =>
    words === '' ? `not __fish_seen_subcommand_from ${following(commands).get('')?.join(' ')}` : seen(words);
  const seen = (words: string): string =>
    words
      .split(' ')
      .map(word => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
  const names = [...following(commands)].flatMap(([before, next]) =>
    next.map(word => {
      const summary = commands.find(each => each.command === [before, word].filter(Boolean).join(' '))?.summary;
      const condition =
        before === '' ? under('') : `${seen(before)}; and not __fish_seen_subcommand_from ${next.join(' ')}`;
      const folder = commands.some(each => each.command.startsWith(`${word} `));
      const told = summary ?? (before === '' && folder ? 'more commands' : '');
      return `complete -c ${bin} -f -n '${condition}' -a '${word}' -d '${told}'`;
    }),
  );
  const flags = commands.flatMap(({ command, flags: all }) =>
    all.map(flag => {
      const value = flag.values.length > 0 ? ` -x -a '${flag.values.join(' ')}'` : flag.takesValue ? ' -r' : '';
      return `complete -c ${bin} -n '${seen(command)}' -l ${flag.name.slice(2)}${value} -d '${flag.description}'`;
    }),
  );
  return `# ${bin} completion for fish: put this into ~/.config/fish/completions/${bin}.fish\n${[...names, ...flags].join('\n')}\n`;
}
