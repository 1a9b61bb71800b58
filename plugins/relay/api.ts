/** What others may use of a tunnel. */

import type { RegisterTunnel } from '../../schemas/tunnel.ts';

/** A tunnel that is connected, as its relay lists it. */
export interface TunnelAbout extends Omit<RegisterTunnel, 'protocol_version'> {
  readonly tunnel_id: string;
  readonly public_url: string;
  /** Unix seconds. */
  readonly connected_at: number;
}

/** A tunnel that its relay has taken. */
export interface OpenedTunnel {
  readonly tunnel_id: string;
  /** Where its server is reached now: MCP is at `/mcp` below it. */
  readonly public_url: string;
}

/** How a tunnel stands with its relay. */
export interface TunnelState {
  readonly state: 'connecting' | 'connected' | 'unavailable';
  /** Since when, milliseconds since the epoch. */
  readonly since: number;
  /** Why it is not connected. */
  readonly reason?: string;
  /** What the relay gave it, when it last had it. */
  readonly opened?: OpenedTunnel;
}

export interface TunnelService {
  /** Resolves when the tunnel is connected; rejects when the relay refuses it. `onState` is told how it stands, ever after. */
  open(onState?: (state: TunnelState) => void): Promise<OpenedTunnel>;
}

export interface RelayService {
  /** The tunnels that are connected. */
  list(): TunnelAbout[];
}

declare module 'fastify' {
  interface FastifyInstance {
    relay: RelayService;
    tunnel: TunnelService;
  }
}
