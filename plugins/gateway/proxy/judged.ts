/** Requests that pass the proxy under a policy: their calls are read and judged, and what is refused is answered here. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import {
  codecOf,
  encodeError,
  encodeResult,
  type RpcId,
  replyText,
  rpcErrors,
  toHttpError,
} from '../../../kernel/index.ts';
import { isObject, type Json, objectOf, parsed, text } from '../../../schemas/loose.ts';
import type { Instance } from '../../instances/api.ts';
import type { ProxyGuard } from './api.ts';

/** Names of clients remembered by session, from their `initialize`. */
const mostNames = 10_000;
const sessionlessName = 'io.modelcontextprotocol/clientInfo';

/** What is known of a body: what it is answered with instead of being sent on, and the name that it opens a session with. */
export interface Judged {
  refusal?: { readonly status: number; readonly body: string };
  client?: string | undefined;
}

export type Judge = ReturnType<typeof createJudge>;

export function createJudge({ check }: Pick<ProxyGuard, 'check'>) {
  const names = new LRUCache<string, string>({ max: mostNames });

  const judgeCall = async (instance: Instance, { params, id }: Json, session: string | undefined): Promise<void> => {
    const { name, arguments: args, _meta } = objectOf(params);
    const meta = objectOf(_meta);
    const known = session === undefined ? undefined : names.get(session);
    const client = known ?? text(objectOf(meta[sessionlessName]).name);
    const requestId = typeof id === 'string' || typeof id === 'number' ? id : randomUUID();
    await check({ instance, tool: text(name) ?? '', args: objectOf(args), meta, requestId, client });
  };

  return {
    /** The name of a client that opened a session. */
    remember: (session: string, name: string): void => void names.set(session, name),
    async judge(instance: Instance, { headers }: IncomingMessage, body: Buffer): Promise<Judged> {
      const value = parsed(body.toString('utf8'));
      // What cannot be read here might be read there.
      if (typeof value !== 'object' || value === null) {
        const error = rpcErrors.PARSE({ reason: 'the body is no JSON, and calls are judged here by a policy' });
        return { refusal: { status: 400, body: encodeError(null, error, 'specification') } };
      }
      const messages = (Array.isArray(value) ? value : [value]).filter(isObject);
      const session = text(headers['mcp-session-id']);
      try {
        for (const each of messages) if (each.method === 'tools/call') await judgeCall(instance, each, session);
      } catch (error) {
        const ids = messages.filter(each => each.id !== undefined).map(each => each.id as RpcId);
        const answers = ids.map(id => refusalOf(id, error, text(headers['mcp-protocol-version']) ?? '2025-03-26'));
        // Calls of a batch go together or not at all.
        return { refusal: { status: 200, body: Array.isArray(value) ? `[${answers.join(',')}]` : (answers[0] ?? '') } };
      }
      const [opening] = messages.filter(each => each.method === 'initialize');
      return { client: text(objectOf(objectOf(opening?.params).clientInfo).name) };
    },
  };
}

/** As an instance refuses a call: an error in the specification's revision, a result for the model to read in the newer ones. */
function refusalOf(id: RpcId, error: unknown, revision: string): string {
  const codec = codecOf(revision);
  if (codec === 'specification') return encodeError(id, error, codec);
  const { message, kind, code, context } = toHttpError(error).body;
  const { veto_code, veto_reason } = context;
  const told = { code, kind, ...(veto_code !== undefined && { veto_code, veto_reason }) };
  const content = [{ type: 'text', text: message }];
  return replyText(encodeResult(id, { content, isError: true, _meta: { dcc: { error: told } } }));
}
