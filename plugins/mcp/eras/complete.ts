/**
 * Turns an encoded reply of the router into that of the sessionless era: every result says that it is complete and whose
 * it is, a list says how long it may be kept. The members are spliced in front of the others; nothing is parsed but a
 * result that has such members of its own.
 */
import { RawBytes, type Reply, type RpcId } from '../../../kernel/index.ts';
import { objectOf } from '../../../schemas/loose.ts';

export type Completer = ReturnType<typeof createCompleter>;

/** A reply without its id. */
export interface Ending {
  /** HTTP status where nothing was sent yet. */
  readonly status: number;
  /** From the member `result` or `error` to the end, the closing brace of the reply included. */
  readonly tail: Reply;
}

/** What may change at any time is not kept; what anybody sees alike may be shared. */
const hints: ReadonlyMap<string, string> = new Map([
  ['server/discover', '"ttlMs":300000,"cacheScope":"public",'],
  ['tools/list', '"ttlMs":0,"cacheScope":"public",'],
  ['prompts/list', '"ttlMs":0,"cacheScope":"public",'],
  ['resources/list', '"ttlMs":0,"cacheScope":"public",'],
  ['resources/templates/list', '"ttlMs":0,"cacheScope":"public",'],
  // Of the skills extension (SEP-2640).
  ['skills/list', '"ttlMs":0,"cacheScope":"public",'],
  ['skills/get', '"ttlMs":0,"cacheScope":"public",'],
  ['resources/read', '"ttlMs":0,"cacheScope":"private",'],
]);

const resultKey = '"result":';
const errorStart = '"error":{"code":';
/** Whether a result has such members of its own, here or further in: then it is parsed. */
const hasOwn = (result: string, hint: string): boolean =>
  result.includes('"_meta"') ||
  result.includes('"resultType"') ||
  (hint !== '' && (result.includes('"ttlMs"') || result.includes('"cacheScope"')));

/** `serverInfo` is what the server says of itself. */
export function createCompleter(serverInfo: object) {
  const meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
  const marks = `"resultType":"complete","_meta":${JSON.stringify(meta)}`;
  /** Results that are sent again and again, by the bytes that they come as. */
  const kept = new WeakMap<Buffer, Buffer>();

  const spliced = (result: string, hint: string): string => {
    if (!hasOwn(result, hint)) return result === '{}' ? `{${hint}${marks}}` : `{${hint}${marks},${result.slice(1)}`;
    const parsed = JSON.parse(result) as Record<string, unknown>;
    return JSON.stringify({
      ...JSON.parse(`{${hint}${marks}}`),
      ...parsed,
      _meta: { ...meta, ...objectOf(parsed._meta) },
    });
  };

  const completedBytes = (bytes: Buffer, hint: string): Buffer => {
    const known = kept.get(bytes);
    if (known) return known;
    const made = new RawBytes(spliced(bytes.toString('utf8', 0, bytes.length - 1), hint)).bytes;
    kept.set(bytes, made);
    return made;
  };

  return {
    meta,
    /** What `reply` says to the request with this id. */
    ending(reply: Reply, id: RpcId, method: string): Ending {
      const start = headOf(id).length;
      const hint = hints.get(method) ?? '';
      if (typeof reply !== 'string') {
        return { status: 200, tail: { head: resultKey, bytes: completedBytes(reply.bytes, hint) } };
      }
      if (reply.startsWith(resultKey, start)) {
        const result = reply.slice(start + resultKey.length, -1);
        return { status: 200, tail: `${resultKey}${spliced(result, hint)}}` };
      }
      return { status: statusOf(reply, start), tail: reply.slice(start) };
    },
  };
}

/** Everything of a reply before its ending. */
export const headOf = (id: RpcId): string =>
  `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},`;

/** A client learns from the status that a method does not exist, and that it must declare more; the rest went well for HTTP. */
function statusOf(reply: string, start: number): number {
  const code = reply.slice(start + errorStart.length, start + errorStart.length + 6);
  if (code === '-32021') return 400;
  return code === '-32601' ? 404 : 200;
}
