/** Numbers, times and names as people read them. */

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const numbers = new Intl.NumberFormat('en');

export const number = (value: number): string => numbers.format(value);

/** Today the time alone. */
export function when(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return '–';
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return '–';
  const time = clock.format(date);
  return date.toDateString() === new Date().toDateString() ? time : `${day.format(date)} ${time}`;
}

export function ms(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  if (value < 10) return `${value.toFixed(1)} ms`;
  if (value < 1000) return `${Math.round(value)} ms`;
  if (value < 60_000) return `${(value / 1000).toFixed(1)} s`;
  return `${Math.floor(value / 60_000)} min ${Math.round((value % 60_000) / 1000)} s`;
}

export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  if (value < 1024 * 1024) return `${(value / 1024).toFixed(1)} KiB`;
  return `${(value / 1024 / 1024).toFixed(1)} MiB`;
}

export function span(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
}

export const percent = (part: number): string => `${(part * 100).toFixed(part > 0 && part < 0.1 ? 1 : 0)} %`;

/** `maya.1a2b3c4d.scene__list` -> `scene__list`; the rest stands in columns of its own. */
export const toolName = (slug: string): string => slug.split('.').at(-1) ?? slug;

export const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
