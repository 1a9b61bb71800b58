/**
 * A gateway speaks for many clients in one session with an instance. Its session says so, and each request says what the
 * client behind it can be asked; from any other session the instance does not listen to that.
 */
import { isObject, type Json, objectOf } from './loose.ts';

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

/** `_meta` with what the client behind a request declared; as it was for one that declared nothing. */
export function onBehalf(meta: Json | undefined, capabilities: Readonly<Json> | undefined): Json | undefined {
  if (capabilities === undefined || Object.keys(capabilities).length === 0) return meta;
  const { elicitation, sampling, roots } = capabilities;
  return { ...meta, [clientMeta]: { capabilities: { elicitation, sampling, roots } } };
}

/** Whether a session that declared `capabilities` is a gateway's. */
export const isGateway = (capabilities: Readonly<Json>): boolean =>
  isObject(capabilities.experimental) && isObject(capabilities.experimental[gatewayCapability]);

/** The capabilities of who makes a request in a session that declared `capabilities`. */
export function askedCapabilities(capabilities: Readonly<Json>, params: unknown): Readonly<Json> {
  if (!isGateway(capabilities)) return capabilities;
  const meta = objectOf(objectOf(params)._meta);
  return objectOf(objectOf(meta[clientMeta]).capabilities);
}
