/** What a user gives to a call beside its `--arg`s. */
import { readFile } from 'node:fs/promises';
import { cliErrors } from './errors.ts';
import type { Fields } from './mcp-client.ts';
import { readObject, standardInput } from './standard-input.ts';

/**
 * What the flag says, which is JSON, `@<file>` or `-` for stdin; or what stands in stdin when required arguments are given
 * in no other way.
 */
export async function givenArguments(
  json: string | undefined,
  args: readonly string[] | undefined,
  schema: Fields,
  flag = '--json',
): Promise<Fields> {
  if (json === '-') return readObject('stdin', await standardInput());
  if (json?.startsWith('@')) return readObject(json.slice(1), await textOf(json.slice(1)));
  if (json !== undefined) return readObject(flag, json);
  const needed = Array.isArray(schema.required) && schema.required.length > 0;
  if (args !== undefined || !needed || process.stdin.isTTY) return {};
  const text = await standardInput(2000);
  return text.trim() === '' ? {} : readObject('stdin', text);
}

/** The text of a file that a user names. */
async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw cliErrors.PATH_MISSING({ what: 'The file', path }, error);
    if (code === 'EISDIR') throw cliErrors.FLAG_INVALID({ flag: `@${path}`, reason: 'it is a directory' }, error);
    throw cliErrors.PATH_UNREADABLE({ what: 'The file', path }, error);
  }
}

/** What `--header`s say. */
export function headersOf(given: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const text of given) {
    const [, name = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
    if (name === '') throw cliErrors.FLAG_INVALID({ flag: '--header', reason: 'write <name>: <value>' });
    headers[name.toLowerCase()] = value;
  }
  return headers;
}
