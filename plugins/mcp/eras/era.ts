/**
 * Which lifecycle a POST belongs to: a sessionless message says of itself, in `params._meta`, which revision it speaks and
 * who sends it; everything else belongs to a session. The body decides, the header only where the body says nothing.
 */
import { rpcErrors } from '../../../kernel/index.ts';
import { isObject } from '../../../schemas/loose.ts';
import { isSessionless, sessionlessRevision } from './revision.ts';

export type Lifecycle = 'session' | 'sessionless';

/** Members of `params._meta` that make the envelope of a sessionless request. */
export const envelope = {
  version: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

type Meta = Readonly<Record<string, unknown>>;

const none: Meta = Object.freeze({});

/** `params._meta` of a message, whatever the message is. */
export function metaOf(message: unknown): Meta {
  const meta = (message as { params?: { _meta?: unknown } | null } | null | undefined)?.params?._meta;
  return typeof meta === 'object' && meta !== null ? (meta as Meta) : none;
}

export const isInitialize = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && (message as { method?: unknown }).method === 'initialize';

/** Throws SVC_RPC_INVALID_REQUEST for a batch of sessionless messages. */
export function lifecycleOf(body: unknown, header: string | string[] | undefined): Lifecycle {
  const headed = header !== undefined && isSessionless(header as string);
  if (Array.isArray(body)) {
    if (!headed && !body.some(each => metaOf(each)[envelope.version] !== undefined)) return 'session';
    throw rpcErrors.INVALID_REQUEST({
      reason: `revision ${sessionlessRevision} has no batches: send each message alone`,
    });
  }
  const meta = metaOf(body);
  const version = meta[envelope.version];
  // Whoever greets like an old client is one, whatever it adds to that, unless the rest is all of the new kind.
  if (isInitialize(body)) {
    return version === sessionlessRevision && isObject(meta[envelope.capabilities]) ? 'sessionless' : 'session';
  }
  return headed || version !== undefined ? 'sessionless' : 'session';
}
