/** What others may use of a tunnel. */

/** A tunnel that its relay has taken. */
export interface OpenedTunnel {
  readonly tunnel_id: string;
  /** Where its server is reached now: MCP is at `/mcp` below it. */
  readonly public_url: string;
}

export interface TunnelService {
  /** Resolves when the tunnel is connected; rejects when the relay refuses it. */
  open(): Promise<OpenedTunnel>;
}

declare module 'fastify' {
  interface FastifyInstance {
    tunnel: TunnelService;
  }
}
