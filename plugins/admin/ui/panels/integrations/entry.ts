/** A webhook as its file has it, and as the fields of a form. Pure. */

export const robotName = 'chatrobot-message-push';

export interface Entry {
  name: string;
  url: string;
  kind?: string;
  events: string[];
  headers?: Record<string, string>;
  message_template?: string;
  payload_template?: unknown;
  delivery?: { attempts?: number; timeout_ms?: number; backoff_ms?: number[] };
  filters?: Record<string, unknown>[];
}

export const newEntry = (name: string): Entry =>
  name === robotName
    ? { name, url: '', kind: 'chatrobot', events: ['tool.failed', 'webhook.delivery_failed'] }
    : { name: '', url: '', events: ['tool.failed'] };

/** What the fields hold. */
export interface Fields {
  name: string;
  url: string;
  kind: string;
  events: string;
  headers: string;
  message: string;
  payload: string;
  attempts: string;
}

export function fieldsOf(entry: Entry): Fields {
  const { payload_template: payload } = entry;
  return {
    ...{ name: entry.name, url: entry.url, kind: entry.kind ?? 'generic', events: entry.events.join('\n') },
    headers: Object.entries(entry.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    message: entry.message_template ?? '',
    payload: payload === undefined ? '' : typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2),
    attempts: entry.delivery?.attempts === undefined ? '' : String(entry.delivery.attempts),
  };
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map(each => each.trim())
    .filter(Boolean);

/** What of `before` the form does not show stays. */
export function entryOf(fields: Fields, before: Entry): Entry {
  const { message_template: _, payload_template: __, headers: ___, delivery, ...rest } = before;
  const headers = fields.headers
    .split('\n')
    .map(each => each.trim())
    .filter(Boolean)
    .map(each => [each.slice(0, Math.max(each.indexOf(':'), 0)).trim(), each.slice(each.indexOf(':') + 1).trim()]);
  const tried = { ...delivery, ...(fields.attempts !== '' && { attempts: Number(fields.attempts) }) };
  if (fields.attempts === '') delete tried.attempts;
  const robot = fields.kind !== 'generic';
  return {
    ...rest,
    ...{ name: fields.name.trim(), url: fields.url.trim(), events: linesOf(fields.events) },
    ...((fields.kind !== 'generic' || before.kind !== undefined) && { kind: fields.kind }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(Object.keys(tried).length > 0 && { delivery: tried }),
    ...(robot && fields.message.trim() !== '' && { message_template: fields.message }),
    ...(!robot && fields.payload.trim() !== '' && { payload_template: payloadOf(fields.payload) }),
  };
}

/** JSON where it is; else a template as a text. */
function payloadOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** By field; the gateway judges the rest. */
export function problemsOf(fields: Fields): Partial<Record<keyof Fields, string>> {
  const problems: Partial<Record<keyof Fields, string>> = {};
  if (fields.name.trim() === '') problems.name = 'Give it a name';
  if (!/^(https?:\/\/|\$\{)/.test(fields.url.trim()))
    problems.url = 'It must begin with http://, https:// or a variable of the environment';
  if (linesOf(fields.events).length === 0) problems.events = 'Name at least one event, or * for all';
  const bad = fields.headers.split('\n').find(each => each.trim() !== '' && !/^\s*[^\s:]+\s*:\s*\S/.test(each));
  if (bad !== undefined) problems.headers = `"${bad.trim()}" must be a name, a colon and a value`;
  if (fields.attempts !== '' && !/^([1-9]\d?|100)$/.test(fields.attempts))
    problems.attempts = 'It must be a whole number from 1 to 100';
  return problems;
}
