/** Entries of `webhooks.yaml` as a page may show them, and back: what may be secret never leaves, and stays when it is put again. */
import type { WebhookInput, WebhookShown } from './api.ts';
import type { WebhookEntry } from './file-schema.ts';
import { shown } from './webhook.ts';

/** Stands for a value that the file keeps. */
export const kept = '[kept]';

const namesVariable = /^[^$]*\$\{\w+\}$/;

export function shownEntry({ url, headers = {}, ...rest }: WebhookEntry): WebhookShown {
  const values = Object.entries(headers).map(([name, value]) => [name, shownValue(value)]);
  return { ...rest, url: shownUrl(url), headers: Object.fromEntries(values) };
}

/** A variable is no secret; what stands before it is a word such as Bearer. */
const shownValue = (value: string): string => (namesVariable.test(value) && value.indexOf('${') <= 16 ? value : kept);

function shownUrl(url: string): string {
  if (url.includes('${') || !URL.canParse(url)) return url;
  const { username, password } = new URL(url);
  const told = shown(new URL(url));
  return told === new URL(url).href && username + password === '' ? url : told.replaceAll('[redacted]', kept);
}

/** The entry to write: what is as it was shown is as it was. */
export function withKept(given: WebhookInput, before: WebhookEntry | undefined): WebhookInput {
  if (!before) return complete(given);
  const was = shownEntry(before);
  const headers = Object.entries((given.headers ?? {}) as Record<string, unknown>).map(([name, value]) => [
    name,
    value === was.headers[name] ? before.headers?.[name] : value,
  ]);
  return complete({
    ...given,
    ...(given.url === was.url && { url: before.url }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
  });
}

/** Throws where a value is to be kept that the file does not have. */
function complete(entry: WebhookInput): WebhookInput {
  const values = [entry.url, ...Object.values((entry.headers ?? {}) as Record<string, unknown>)];
  if (!values.some(each => typeof each === 'string' && each.includes(kept))) return entry;
  throw new Error(`${kept} stands for a value of "${entry.name}" that the file does not have: write the value itself`);
}
