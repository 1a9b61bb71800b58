/** Which of the running programs a person means: by name, port, process id or the beginning of an instance id. */
import * as Args from '@oclif/core/args';
import { nearest } from '../schemas/nearest.ts';
import { cliErrors } from './errors.ts';
import type { Running } from './running.ts';

export const selectionArgs = {
  which: Args.string({
    description: 'name, port, process id or instance id; several may be given, none means all',
    required: false,
  }),
};

/** Those of `running` that `words` name; all without words. Throws SVC_CLI_NOT_RUNNING for a word that names none. */
export function selected<T extends Running>(running: readonly T[], words: readonly string[]): T[] {
  if (words.length === 0) return [...running];
  const named = words.flatMap(word => {
    const found = running.filter(each => isNamed(each, word));
    if (found.length === 0) throw notRunning(running, word);
    return found;
  });
  return running.filter(each => named.includes(each));
}

const isNamed = ({ name, kind, pid, url, instance_id }: Running, word: string): boolean =>
  [name, kind, String(pid)].includes(word) ||
  // A tunnel listens nowhere: the port is that of its server.
  (kind !== 'tunnel' && new URL(url).port === word) ||
  (word.length >= 4 && instance_id?.startsWith(word) === true);

function notRunning(running: readonly Running[], which: string): Error {
  const names = [...new Set(running.map(each => each.name))];
  const meant = nearest(which, names);
  const known = names.length > 0 ? `these run: ${names.join(', ')}` : 'nothing runs';
  return cliErrors.NOT_RUNNING({ which, hint: meant === undefined ? known : `did you mean "${meant}"?` });
}
