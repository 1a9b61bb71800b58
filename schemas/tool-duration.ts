/** How long a tool ran, said in its result on the way from an instance to its gateway. Pure. */
import type { Json } from './loose.ts';

/** Asks an instance to say how long a tool ran, and says it: a member of the result that only a gateway gets. */
const durationKey = 'svc/duration_ms';
const durationTail = /,"svc\/duration_ms":(\d+(?:\.\d+)?)\}$/;
/** More than the mark and a number take. */
const tailLength = 48;

/** JSON text of a result that says how long its tool ran. */
export const withDuration = (result: string, ms: number): string =>
  result.endsWith('}') && result.length > 2 ? `${result.slice(0, -1)},"${durationKey}":${ms.toFixed(3)}}` : result;

/** How long the tool of a result ran, where that is read already. */
export function durationIn(result: Readonly<Json>): number | undefined {
  const { [durationKey]: ms } = result;
  return typeof ms === 'number' ? ms : undefined;
}

/** The result as it was, and how long its tool ran. */
export function withoutDuration(result: string): { json: string; toolMs: number | undefined } {
  const found = durationTail.exec(result.slice(-tailLength));
  if (!found) return { json: result, toolMs: undefined };
  return { json: `${result.slice(0, -found[0].length)}}`, toolMs: Number(found[1]) };
}
