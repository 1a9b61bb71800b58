/** Members of rows as JSON text: put together without an object in between, which costs twice as much. */

/** A member after others; nothing of what is not there. */
export const member = (name: string, value: unknown): string =>
  value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;

/** The same of a text that needs no escapes. */
export const plain = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`;

/** Members of an object, after others. */
export function membersOf(value: object): string {
  const json = JSON.stringify(value);
  return json === '{}' ? '' : `,${json.slice(1, -1)}`;
}

export const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

/** ISO time of a moment, in ms since the epoch; calls that come in the same millisecond have the same. */
export function createClock(): (ms: number) => string {
  let [last, text] = [Number.NaN, ''];
  return ms => {
    const whole = Math.trunc(ms);
    if (whole !== last) [last, text] = [whole, new Date(whole).toISOString()];
    return text;
  };
}

const nsOfMs = 1e6;

/** Nanoseconds since the epoch of milliseconds, as text: V8 takes six times as long to print a number of that size. */
export function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  const rest = Math.round((ms - whole) * nsOfMs);
  if (whole === 0) return String(rest);
  return rest === nsOfMs ? `${whole + 1}000000` : `${whole}${String(rest).padStart(6, '0')}`;
}
