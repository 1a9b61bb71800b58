/**
 * A gateway speaks for many clients in one session with an instance. Its session says so, and each request says what the
 * client behind it can be asked; from any other session the instance does not listen to that.
 */
import { isObject, type Json, objectOf, text } from './loose.ts';

/** Member of `capabilities.experimental` in `initialize`. */
const gatewayCapability = 'svc/gateway';
/** Member of `_meta` in a request of a gateway, and in what it alone is answered. */
export const clientMeta = 'svc/client';

/** What a gateway declares: everything, since its clients decide. */
export const gatewayCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
  experimental: { [gatewayCapability]: {} },
};

/** What an instance is told of the client behind a request. */
export interface Behind {
  capabilities?: Readonly<Json> | undefined;
  /** The name that it gives itself. */
  name?: string | undefined;
  /** Who it proved to be, where the gateway's callers authenticate: its jobs are its own. */
  owner?: string | undefined;
  /** It sees the jobs of everybody. */
  admin?: true | undefined;
  /** The result is to say how long its tool ran. */
  timed?: true | undefined;
}

/** `_meta` with what is known of the client behind a request; as it was where that is nothing. */
export function onBehalf(
  meta: Json | undefined,
  { capabilities, name, owner, admin, timed }: Behind,
): Json | undefined {
  const declared = capabilities !== undefined && Object.keys(capabilities).length > 0;
  if (!declared && name === undefined && owner === undefined && timed === undefined) return meta;
  const { elicitation, sampling, roots } = capabilities ?? {};
  const told = { name, owner, admin, timed, ...(declared && { capabilities: { elicitation, sampling, roots } }) };
  // A copy by spread that gets another member has a hidden class of its own in V8 11, which costs ten times as much.
  return Object.assign({}, meta, { [clientMeta]: told });
}

/** The owner of what a caller begins for a client behind it; for none, the beginning of all of them. */
export const ownerBehind = (own: string | undefined, behind: string | undefined): string =>
  `${encodeURIComponent(own ?? '')}/${encodeURIComponent(behind ?? '')}`;

/** Whether an owner is that client behind whoever. */
export const isBehind = (owner: string, behind: string): boolean => owner.endsWith(`/${encodeURIComponent(behind)}`);

/** What a gateway told of the client behind a request; to be asked in a gateway's session alone. */
export const behind = (meta: Readonly<Json>): Behind => objectOf(meta[clientMeta]);

/** Whether a session that declared `capabilities` is a gateway's. */
export const isGateway = (capabilities: Readonly<Json>): boolean =>
  isObject(capabilities.experimental) && isObject(capabilities.experimental[gatewayCapability]);

/** The capabilities of who makes a request in a session that declared `capabilities`. */
export function askedCapabilities(capabilities: Readonly<Json>, params: unknown): Readonly<Json> {
  if (!isGateway(capabilities)) return capabilities;
  const meta = objectOf(objectOf(params)._meta);
  return objectOf(objectOf(meta[clientMeta]).capabilities);
}

/** Tells a gateway that its client may be let go; a stream that is closed would let go of the gateway. */
export const letGo = 'notifications/$/dcc.closeStream';

/** The params of a question with the key that the client behind a gateway is to know it by. */
export const withKey = (params: Json, key: string): Json => ({
  ...params,
  _meta: { ...objectOf(params._meta), [clientMeta]: { key } },
});

/** The params as they were, and the key. */
export function withoutKey(params: Json): { params: Json; key: string | undefined } {
  const { [clientMeta]: own, ...others } = objectOf(params._meta);
  if (own === undefined) return { params, key: undefined };
  const { _meta, ...rest } = params;
  return {
    params: Object.keys(others).length > 0 ? { ...rest, _meta: others } : rest,
    key: text(objectOf(own).key),
  };
}
