/** Addresses as they stand in a URL. Pure. */

/** Only an IPv6 address has a colon. `isIPv6` builds its pattern at the first call: 4 ms, at every start. */
export const hostInUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/** A wildcard address is none to connect to: the loopback of its family stands for it. */
export const reachable = (host: string): string => ({ '0.0.0.0': '127.0.0.1', '::': '::1' })[host] ?? host;

/** `http://host:port` that reaches a listener from its own machine. */
export const originOf = ({ host, port }: { host: string; port: number }): string =>
  `http://${hostInUrl(reachable(host))}:${port}`;

/** Whether an address is reached from this machine alone: `localhost` (a dot at its end too), 127.0.0.0/8, ::1, as IPv6 too. */
export function isLoopback(host: string): boolean {
  const name = plainHost(host);
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Whether an address means something on its own link alone, as those of the metadata services of clouds do. */
export const isLinkLocal = (host: string): boolean => /^(169\.254\.|fe[89ab][0-9a-f]:|fd00:ec2:)/.test(plainHost(host));

/** A host in its one spelling: no brackets, no dot at its end, no IPv4 address dressed as an IPv6 one. */
export function plainHost(host: string): string {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  const [, mapped, high = '', low = ''] =
    /^(?:0*:)*:?ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/.exec(name) ?? [];
  if (mapped !== undefined) return mapped;
  if (high === '') return name;
  const bits = [high, low].map(each => Number.parseInt(each, 16));
  return bits.flatMap(each => [each >> 8, each & 255]).join('.');
}
