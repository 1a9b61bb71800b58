/** URIs of the gateway: `scheme://rest` of an instance is `scheme://<id8>/rest`, and `urn:rest` is `urn:<id8>/rest` (shape:gateway-uri). */

const uriShape = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)(.*)$/s;

/** A URI of an instance as the gateway shows it; what is no URI stays as it is. */
export function prefixedUri(uri: string, id8: string): string {
  const [, head, rest] = uriShape.exec(uri) ?? [];
  return head === undefined ? uri : `${head}${id8}/${rest}`;
}

/** The instance that a URI of the gateway names, and the instance's own URI; undefined when it names none. */
export function splitUri(uri: string): { id: string; uri: string } | undefined {
  const [, head, rest = ''] = uriShape.exec(uri) ?? [];
  const [, id, own] = /^([0-9a-f-]{4,36})\/(.*)$/is.exec(rest) ?? [];
  return id === undefined || own === undefined ? undefined : { id, uri: head + own };
}
