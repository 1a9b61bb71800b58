/** The `resources/*` methods of MCP. */
import {
  type Awaitable,
  after,
  type Disposer,
  pageOf,
  type Rpc,
  type RpcHandler,
  type RpcSession,
  rpcErrors,
  type Scope,
} from '../../kernel/index.ts';
import { clientMeta, isGateway } from '../../schemas/on-behalf.ts';
import { resourceErrors } from './errors.ts';
import type { Following } from './following.ts';
import type { Resources } from './resources.ts';
import type { Subscriptions } from './subscriptions.ts';
import { schemeOf } from './uri.ts';

const names = [
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'resources/subscribe',
  'resources/unsubscribe',
] as const;

export interface ResourceMethodDeps {
  rpc: Rpc;
  scope: Scope;
  resources: Resources;
  subscriptions: Subscriptions;
  following: Following;
  pageSize: number;
  /** Resources that one client may follow. */
  limit: number;
}

export function addResourceMethods(deps: ResourceMethodDeps): void {
  const { rpc, scope, resources, subscriptions, following, pageSize, limit } = deps;
  const keep = async (session: RpcSession, uri: string, taken: Promise<Disposer>): Promise<void> => {
    const release = await taken;
    if (session.scope.disposed) await release();
    else await subscriptions.add(session, uri, release);
  };
  /** A gateway is told how many each of its clients may follow: it counts them. */
  const accepted = ({ clientCapabilities }: RpcSession) =>
    isGateway(clientCapabilities) ? { _meta: { [clientMeta]: { max_session_subscriptions: limit } } } : {};
  /** Followed at once, so that the last word of a client counts, and no more when there turns out to be no such resource. */
  const confirmed = async (session: RpcSession, uri: string, added: Awaitable<void>, known: Promise<void>) => {
    const [kept, found] = await Promise.allSettled([added, known]);
    if (kept.status === 'rejected') throw kept.reason;
    if (found.status === 'fulfilled') return accepted(session);
    await subscriptions.remove(session, uri);
    throw found.reason;
  };
  const handlers: Record<(typeof names)[number], RpcHandler> = {
    async 'resources/list'(params) {
      const { items, nextCursor } = pageOf(await resources.list(), params.cursor, pageSize);
      return { resources: items, ...(nextCursor && { nextCursor }) };
    },
    async 'resources/templates/list'(params) {
      const { items, nextCursor } = pageOf(await resources.templates(), params.cursor, pageSize);
      return { resourceTemplates: items, ...(nextCursor && { nextCursor }) };
    },
    async 'resources/read'(params, context) {
      return { contents: await resources.read(uriOf(params), context.signal) };
    },
    'resources/subscribe'(params, context) {
      const { session } = context;
      const scheme = schemeOf(params.uri);
      const uri = params.uri as string;
      if (!session) throw rpcErrors.INVALID_REQUEST({ reason: 'subscriptions belong to a session: initialize first' });
      const producer = resources.require(scheme, uri);
      if (subscriptions.has(session, uri)) return after(subscriptions.add(session, uri), () => accepted(session));
      const taken = following.take(producer, uri, session);
      const added = taken ? keep(session, uri, taken) : subscriptions.add(session, uri);
      return confirmed(session, uri, added, resources.assertKnown(producer, uri, context.signal));
    },
    'resources/unsubscribe'(params, { session }) {
      const uri = uriOf(params);
      return session ? after(subscriptions.remove(session, uri), () => ({})) : {};
    },
  };
  for (const name of names) scope.add(name, rpc.method(name, handlers[name]));
}

/** With `enable_resources` off every method answers -32601 and says why. */
export function refuseResourceMethods(rpc: Rpc, scope: Scope): void {
  for (const method of names) {
    scope.add(
      method,
      rpc.method(method, () => {
        throw resourceErrors.DISABLED({ method });
      }),
    );
  }
}

function uriOf(params: Record<string, unknown>): string {
  schemeOf(params.uri);
  return params.uri as string;
}
