/** What the command line may use of hosts that are not Node. */
export { type HostServer, serveHost } from './companion.ts';
export { type HostKind, hostKinds, installHost } from './install.ts';
export type { LinkState } from './link-state.ts';
