/** Which headers pass a proxy, and which speak of one connection only. */

/**
 * By length, so that most names are decided without being folded. `Host` is the instance's own; an `Origin` was judged
 * by the gateway's guard, and means nothing at the instance. What proves to us who a caller is, is for nobody else, and
 * what he says of the way he came an instance would take for our word.
 */
const requestOnly = byLength([
  ...['host', 'origin', 'expect', 'authorization', 'cookie', 'x-api-key', 'forwarded', 'x-real-ip'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'x-forwarded-server'],
  ...['x-forwarded-prefix', 'x-forwarded-user', 'x-forwarded-email', 'x-forwarded-ssl', 'x-forwarded-scheme'],
]);
/** An instance has no page whose visitors it would have to know again. */
const answerOnly = byLength(['set-cookie']);
const hopByHop = byLength([
  'te',
  'trailer',
  'upgrade',
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'proxy-authenticate',
  'proxy-authorization',
]);

function byLength(names: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const table = new Map<number, string[]>();
  for (const name of names) table.set(name.length, [...(table.get(name.length) ?? []), name]);
  return table;
}

const isIn = (table: ReadonlyMap<number, readonly string[]>, name: string): boolean =>
  table.get(name.length)?.includes(name.toLowerCase()) ?? false;

/** Names that a `Connection` header declares to be of this connection; most say only keep-alive or close. */
function declared(connection: string | undefined): readonly string[] | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return connection
    .toLowerCase()
    .split(',')
    .map(each => each.trim());
}

/** A request's headers for the instance, names and values in turns. */
export function requestHeaders(raw: readonly string[], connection: string | undefined): string[] {
  const own = declared(connection);
  const passed: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] as string;
    if (isIn(requestOnly, name) || isIn(hopByHop, name) || own?.includes(name.toLowerCase())) continue;
    passed.push(name, raw[index + 1] as string);
  }
  return passed;
}

/** Which origins may read an answer is the gateway's affair: the instance saw none. */
const isCors = (name: string): boolean => name.length > 20 && name.toLowerCase().startsWith('access-control-');

export interface ResponseHead {
  /** Names and values in turns. */
  headers: string[];
  /** Undefined without a Content-Length. */
  length: number | undefined;
  sessionId: string | undefined;
}

/** An answer's headers for the client. */
export function responseHead(raw: readonly Buffer[]): ResponseHead {
  const headers: string[] = [];
  let length: number | undefined;
  let sessionId: string | undefined;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] as Buffer).toString('latin1');
    if (isIn(hopByHop, name) || isIn(answerOnly, name) || isCors(name)) continue;
    const value = (raw[index + 1] as Buffer).toString('latin1');
    if (name.length === 14) {
      const folded = name.toLowerCase();
      if (folded === 'content-length') length = Number(value);
      else if (folded === 'mcp-session-id') sessionId = value;
    }
    headers.push(name, value);
  }
  return { headers, length, sessionId };
}

/** Whether headers, names and values in turns, announce an event stream. */
export const isEventStream = (headers: readonly string[]): boolean =>
  headers.some(
    (each, index) =>
      index % 2 === 0 && each.toLowerCase() === 'content-type' && headers[index + 1]?.startsWith('text/event-stream'),
  );
