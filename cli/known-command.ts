/** "Did you mean", for commands and their flags. */
import type { Command, Config } from '@oclif/core';
import * as Errors from '@oclif/core/errors';
import { nearest } from '../schemas/nearest.ts';
import { cliErrors } from './errors.ts';

/** Throws SVC_CLI_COMMAND_UNKNOWN that names the command which was probably meant. */
export function assertKnown(words: readonly string[], config: Config): void {
  const [first = '', second] = words;
  if (first.startsWith('-')) return;
  const sub = second === undefined || second.startsWith('-') ? undefined : second;
  const found = config.findCommand(first);
  // A command that is a folder of others too, and takes no words itself: what follows is one of those.
  const folder = sub !== undefined && config.findTopic(first) !== undefined && !Object.keys(found?.args ?? {}).length;
  if (found && !folder) return;
  if (config.findTopic(first) && (sub === undefined || config.findCommand(`${first}:${sub}`))) return;
  const command = [first, sub].filter(Boolean).join(' ');
  const names = config.commandIDs.map(each => each.replaceAll(':', ' '));
  const below = names.filter(each => each.startsWith(`${first} `));
  const next =
    sub &&
    nearest(
      sub,
      below.map(each => each.slice(first.length + 1)),
    );
  const meant = next ? `${first} ${next}` : (nearest(command, names) ?? nearest(first, names));
  const program = config.bin;
  const hint = meant === undefined ? `See ${program} help` : `Did you mean "${meant}"? See ${program} help`;
  throw cliErrors.COMMAND_UNKNOWN({ command, program, hint });
}

/** The failure of a command line as a user is told it: an unknown flag with the one that was probably meant. */
export function flagFailure(
  error: unknown,
  { id, flags, baseFlags }: Pick<Command.Class, 'id' | 'flags' | 'baseFlags'>,
  bin: string,
): unknown {
  if (!(error instanceof Errors.CLIError) || error.constructor.name !== 'NonExistentFlagsError') return error;
  const [flag = ''] = (error as Error & { flags?: string[] }).flags ?? [];
  const shown = Object.entries({ ...baseFlags, ...flags }).filter(([, each]) => !each.hidden);
  const known = ['help', ...shown.flatMap(([name, each]) => [name, ...(each.aliases ?? [])])];
  const meant = nearest(flag.replace(/^-+/, ''), known);
  const command = `${bin} ${id.replaceAll(':', ' ')}`;
  const hint = `${meant === undefined ? '' : `Did you mean "--${meant}"? `}See ${command} --help`;
  return cliErrors.FLAG_UNKNOWN({ flag, command, hint });
}
