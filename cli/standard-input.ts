/** What is piped into a command. */
import { cliErrors } from './errors.ts';

/** All of stdin; with `patienceMs` nothing when nothing has come by then: a pipe may stay open for ever. */
export async function standardInput(patienceMs?: number): Promise<string> {
  const { stdin } = process;
  const chunks: string[] = [];
  stdin.setEncoding('utf8');
  await new Promise<void>(resolve => {
    const timer = patienceMs === undefined ? undefined : setTimeout(resolve, patienceMs);
    stdin.on('data', (chunk: string) => {
      clearTimeout(timer);
      chunks.push(chunk);
    });
    for (const event of ['end', 'error', 'close']) stdin.once(event, () => resolve());
  });
  stdin.destroy();
  return chunks.join('');
}

/** A JSON object that a user wrote. */
export function readObject(flag: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw cliErrors.FLAG_INVALID({ flag, reason: (error as Error).message }, error);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw cliErrors.FLAG_INVALID({ flag, reason: 'it must be a JSON object' });
}
