/** "Did you mean", for commands. */
import type { Config } from '@oclif/core';
import { nearest } from '../schemas/nearest.ts';
import { cliErrors } from './errors.ts';

/** Throws SVC_CLI_COMMAND_UNKNOWN that names the command which was probably meant. */
export function assertKnown(words: readonly string[], config: Config): void {
  const [first = '', second] = words;
  if (first.startsWith('-') || config.findCommand(first)) return;
  const sub = second === undefined || second.startsWith('-') ? undefined : second;
  if (config.findTopic(first) && (sub === undefined || config.findCommand(`${first}:${sub}`))) return;
  const command = [first, sub].filter(Boolean).join(' ');
  const names = config.commandIDs.map(each => each.replaceAll(':', ' '));
  const meant = nearest(command, names) ?? nearest(first, names);
  const program = config.bin;
  const hint = meant === undefined ? `See ${program} help` : `Did you mean "${meant}"? See ${program} help`;
  throw cliErrors.COMMAND_UNKNOWN({ command, program, hint });
}
