/** Asks a built-in tool of an instance that only reads. */
import { type Json, objectOf, objects, parsed } from '../../schemas/loose.ts';
import type { Backend } from '../gateway/backends/api.ts';
import { adminErrors } from './errors.ts';

/** An instance that does not answer in time is named, and the others are shown. */
export const askMs = 3000;

/** Its structured answer. */
export async function askBuiltin(backend: Pick<Backend, 'request'>, name: string, args: Json): Promise<Json> {
  const result = objectOf(
    await backend.request('tools/call', { name, arguments: args }, { idempotent: true, timeoutMs: askMs }),
  );
  const [first] = objects(result.content);
  const answer = result.structuredContent ?? parsed(String(first?.text ?? ''));
  if (result.isError === true) throw adminErrors.INPUT({ reason: String(first?.text ?? `${name} failed`) });
  return objectOf(answer);
}
