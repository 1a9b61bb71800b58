/** The tunnels that are connected, by id: who may have which. */
import { createHash } from 'node:crypto';
import type { RegisterTunnel, TunnelRefusal } from '../../schemas/tunnel.ts';
import type { Grant } from './tokens.ts';
import type { Tunnel } from './tunnel.ts';

/** Why a tunnel is not taken. */
export interface Refusal {
  readonly error_code: TunnelRefusal;
  readonly message: string;
}

export type Tunnels = ReturnType<typeof createTunnels>;

export interface TunnelsParts {
  most: number;
  added(tunnel: Tunnel): void;
  removed(tunnel: Tunnel): void;
}

/** The same id for the same instance of the same owner, so that one that comes back is found where it was. */
export function tunnelId(subject: string, instance_id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([subject, instance_id.toLowerCase()]))
    .digest('hex')
    .slice(0, 32);
}

export function createTunnels({ most, added, removed }: TunnelsParts) {
  const byId = new Map<string, Tunnel>();
  const byInstance = new Map<string, Tunnel>();
  const instanceOf = ({ instance_id }: Pick<RegisterTunnel, 'instance_id'>): string | undefined =>
    instance_id?.toLowerCase();

  const drop = (tunnel: Tunnel): void => {
    const { about } = tunnel;
    if (byId.get(about.tunnel_id) !== tunnel) return;
    byId.delete(about.tunnel_id);
    byInstance.delete(instanceOf(about) ?? '');
    removed(tunnel);
  };

  return {
    /** Why a tunnel may not be opened, or nothing. */
    refusal(register: RegisterTunnel, { subject, allowed }: Grant): Refusal | undefined {
      if (allowed.size > 0 && !allowed.has(register.dcc.toLowerCase())) {
        return {
          error_code: 'DccNotAllowed',
          message: `No tunnel for hosts of type "${register.dcc}" may be opened by this token`,
        };
      }
      const known = byInstance.get(instanceOf(register) ?? '');
      if (known && known.subject !== subject) {
        const message = `Instance ${register.instance_id} has a tunnel that belongs to somebody else`;
        return { error_code: 'InstanceIdTaken', message };
      }
      if (!known && byId.size >= most) {
        return { error_code: 'TooManyTunnels', message: `${most} tunnels are connected already` };
      }
      return undefined;
    },
    /** Whoever comes back takes the place of its former connection, which may be long dead. */
    add(tunnel: Tunnel): void {
      const known = byId.get(tunnel.about.tunnel_id);
      if (known) {
        drop(known);
        known.end('Replaced', 'another tunnel of the same server has taken its place: one of them is too many');
      }
      byId.set(tunnel.about.tunnel_id, tunnel);
      const instance = instanceOf(tunnel.about);
      if (instance !== undefined) byInstance.set(instance, tunnel);
      added(tunnel);
    },
    drop,
    get: (id: string): Tunnel | undefined => byId.get(id),
    list: (): Tunnel[] => [...byId.values()],
  };
}
