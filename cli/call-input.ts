/** What a user gives to a call beside its `--arg`s. */
import { cliErrors } from './errors.ts';
import type { Fields } from './mcp-client.ts';
import { readObject, standardInput } from './standard-input.ts';

/** `--json`, or what stands in stdin when required arguments are given in no other way. */
export async function givenArguments(
  json: string | undefined,
  args: readonly string[] | undefined,
  schema: Fields,
): Promise<Fields> {
  if (json === '-') return readObject('stdin', await standardInput());
  if (json !== undefined) return readObject('--json', json);
  const needed = Array.isArray(schema.required) && schema.required.length > 0;
  if (args !== undefined || !needed || process.stdin.isTTY) return {};
  const text = await standardInput(2000);
  return text.trim() === '' ? {} : readObject('stdin', text);
}

/** `--header`s, and the token of the environment: no secret stands on a command line. */
export function headersOf(given: readonly string[], token: string | undefined): Record<string, string> {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  for (const text of given) {
    const [, name = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
    if (name === '') throw cliErrors.FLAG_INVALID({ flag: '--header', reason: 'write <name>: <value>' });
    headers[name.toLowerCase()] = value;
  }
  return headers;
}
