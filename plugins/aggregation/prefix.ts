/** Names of the gateway: `scheme://rest` of an instance is `scheme://<id8>/rest`, `name` is `<dcc>.<id8>.name` (CONTRACT 8.1). */

const uriShape = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/s;

/** A URI of an instance as the gateway shows it; what is no URI stays as it is. */
export function prefixedUri(uri: string, id8: string): string {
  const [, scheme, rest] = uriShape.exec(uri) ?? [];
  return scheme === undefined ? uri : `${scheme}://${id8}/${rest}`;
}

/** The instance that a URI of the gateway names, and the instance's own URI; undefined when it names none. */
export function splitUri(uri: string): { id: string; uri: string } | undefined {
  const [, scheme, rest = ''] = uriShape.exec(uri) ?? [];
  const [, id, own] = /^([0-9a-f-]{4,36})\/(.*)$/is.exec(rest) ?? [];
  return id === undefined || own === undefined ? undefined : { id, uri: `${scheme}://${own}` };
}

/** A name of an instance as the gateway shows it. */
export const prefixedName = (name: string, dcc: string, id8: string): string => `${dcc}.${id8}.${name}`;

/** The instance that a name of the gateway means, and the instance's own name. */
export function splitName(name: string): { id: string; name: string } | undefined {
  const [, id, own] = /^[^.]+\.([0-9a-f-]{4,36})\.(.+)$/is.exec(name) ?? [];
  return id === undefined || own === undefined ? undefined : { id, name: own };
}
