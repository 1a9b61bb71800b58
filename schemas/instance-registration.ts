/** Bodies of the HTTP discovery source: a remote instance registers itself and keeps its row alive. */
import { type Static, Type } from 'typebox';
import { hostTypePattern } from './settings.ts';

const instance_id = Type.String({
  pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
  description: 'UUID of the instance',
});
const optionalText = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 4096 }), Type.Null()], { description }));
const capabilities_fingerprint = optionalText('changes when the tools of the instance change');
const scene = optionalText('open scene file');

export const RegisterInstanceSchema = Type.Object(
  {
    instance_id,
    dcc_type: Type.String({ pattern: hostTypePattern, description: 'host type' }),
    mcp_url: Type.String({ maxLength: 2048, description: 'address of its MCP endpoint; the path ends with /mcp' }),
    capabilities_fingerprint,
    adapter_version: optionalText('version of the adapter'),
    scene,
    ttl_secs: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], {
        description: 'seconds without a heartbeat after which the row goes; 30 unless given, held to 1..86400',
      }),
    ),
  },
  { $id: 'svc:register-instance', description: 'Body of POST /v1/instances/register' },
);

export const HeartbeatInstanceSchema = Type.Object(
  { instance_id, capabilities_fingerprint, scene },
  { $id: 'svc:heartbeat-instance', description: 'Body of POST /v1/instances/heartbeat' },
);

export const DeregisterInstanceSchema = Type.Object(
  { instance_id },
  { $id: 'svc:deregister-instance', description: 'Body of POST /v1/instances/deregister' },
);

export type RegisterInstance = Static<typeof RegisterInstanceSchema>;
export type HeartbeatInstance = Static<typeof HeartbeatInstanceSchema>;
export type DeregisterInstance = Static<typeof DeregisterInstanceSchema>;
