/** What a tunnel and its relay say to each other before bytes flow: one message each, as JSON; later the tunnel may say what is new of it. */
import { type Static, Type } from 'typebox';
import { hostTypePattern } from './settings.ts';

export const tunnelProtocol = 2;

/** Where a relay takes tunnels. */
export const tunnelDoor = '/connect';

const text = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 4096 }), Type.Null()], { description }));

/** First message of a tunnel; said again, as the same instance, when anything of it has changed. */
export const RegisterTunnelSchema = Type.Object(
  {
    protocol_version: Type.Integer({ description: 'revision of what the two say to each other' }),
    dcc: Type.String({ pattern: hostTypePattern, description: 'host type' }),
    agent_version: Type.String({ maxLength: 64, description: 'version of the tunnel' }),
    capabilities: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 64, description: 'what it can do' }),
    instance_id: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
        description: 'UUID of the instance that it leads to',
      }),
    ),
    capabilities_fingerprint: text('changes when the tools of the instance change'),
    adapter_version: text('version of the adapter'),
    scene: text('open scene file'),
  },
  { $id: 'svc:register-tunnel', description: 'First message of a tunnel to its relay' },
);

export type RegisterTunnel = Static<typeof RegisterTunnelSchema>;

/** Why a relay refuses or ends a tunnel, and the code that its WebSocket closes with. `AuthFailed` is also HTTP 401. */
export const tunnelRefusals = {
  AuthFailed: 4401,
  DccNotAllowed: 4403,
  InstanceIdTaken: 4409,
  ProtocolMismatch: 4426,
  TooManyTunnels: 4429,
  BadRegistration: 4400,
  Replaced: 4410,
  FrameTooLarge: 1009,
  Internal: 1011,
} as const;

export type TunnelRefusal = keyof typeof tunnelRefusals;

/** The relay's answer to it. */
export type RegisterAck =
  | { readonly ok: true; readonly tunnel_id: string; readonly public_url: string }
  | { readonly ok: false; readonly error_code: TunnelRefusal; readonly message: string };
