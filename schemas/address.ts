/** Addresses as they stand in a URL. Pure. */

/** Only an IPv6 address has a colon. `isIPv6` builds its pattern at the first call: 4 ms, at every start. */
export const hostInUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/** A wildcard address is none to connect to: the loopback of its family stands for it. */
export const reachable = (host: string): string => ({ '0.0.0.0': '127.0.0.1', '::': '::1' })[host] ?? host;

/** `http://host:port` that reaches a listener from its own machine. */
export const originOf = ({ host, port }: { host: string; port: number }): string =>
  `http://${hostInUrl(reachable(host))}:${port}`;
