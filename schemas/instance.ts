/** A row of the instance registry: one running server, as its file says it (specification: Instance row fields). */
import { type Static, Type } from 'typebox';
import { hostTypePattern } from './settings.ts';

const orNull = (description: string) =>
  Type.Union([Type.String({ maxLength: 4096 }), Type.Null()], { default: null, description });
const process = (description: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: 4294967295 }), Type.Null()], { default: null, description });

/** Version of the row's shape that this program writes; a higher one is left alone. */
export const instanceSchemaVersion = 1;

export const InstanceStatusSchema = Type.Union(
  [
    Type.Literal('available'),
    Type.Literal('busy'),
    Type.Literal('unreachable'),
    Type.Literal('shutting_down'),
    Type.Literal('booting'),
    Type.Literal('stale'),
  ],
  { default: 'available', description: 'what the instance can do now' },
);

/** Unknown members are kept out of the way, not refused: a newer program may write more. */
export const InstanceRowSchema = Type.Object(
  {
    schema_version: Type.Integer({ minimum: 0, default: 0, description: 'version of this shape; missing means 0' }),
    instance_id: Type.String({
      pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
      description: 'UUID of the instance, in small letters',
    }),
    dcc_type: Type.String({ pattern: hostTypePattern, description: 'host type' }),
    host: Type.String({ pattern: '^[A-Za-z0-9._:%-]{1,255}$', description: 'address that the instance listens on' }),
    port: Type.Integer({ minimum: 0, maximum: 65535, description: 'its port; 0 while it has none' }),
    version: orNull('version of the host application'),
    adapter_version: orNull('version of the adapter'),
    adapter_dcc: orNull('host type that the adapter was made for'),
    scene: orNull('open scene file'),
    documents: Type.Array(Type.String({ maxLength: 4096 }), {
      default: [],
      maxItems: 1000,
      description: 'open documents',
    }),
    pid: process('process id of the server'),
    host_pid: process('process id of the host application, when that is another process'),
    display_name: orNull('name for people'),
    metadata: Type.Record(Type.String(), Type.String(), { default: {}, description: 'texts by name' }),
    extras: Type.Record(Type.String(), Type.Unknown(), {
      default: {},
      description: 'what the registry itself notes, such as the start of the owner process',
    }),
    registered_at: Type.Number({ minimum: 0, default: 0, description: 'when the row was made, Unix seconds' }),
    status: InstanceStatusSchema,
    capacity: Type.Integer({ minimum: 1, default: 1, description: 'calls that it takes at once' }),
    lease_owner: orNull('who has leased the instance'),
    current_job_id: orNull('job that it works on'),
    lease_expires_at: Type.Union([Type.Number(), Type.Null()], {
      default: null,
      description: 'end of the lease, Unix seconds',
    }),
  },
  { $id: 'svc:instance-row', description: 'Row of the instance registry' },
);

export type InstanceRow = Static<typeof InstanceRowSchema>;
export type InstanceStatus = Static<typeof InstanceStatusSchema>;

/** A row with what every row says; the rest stands at its default. */
export const completeRow = (
  given: Pick<InstanceRow, 'instance_id' | 'dcc_type' | 'host' | 'port' | 'registered_at'> & Partial<InstanceRow>,
): InstanceRow => ({
  ...{ version: null, adapter_version: null, adapter_dcc: null, scene: null, documents: [], pid: null, host_pid: null },
  ...{ display_name: null, metadata: {}, extras: {}, status: 'available', capacity: 1 },
  ...{ lease_owner: null, current_job_id: null, lease_expires_at: null },
  ...given,
  schema_version: instanceSchemaVersion,
});

/** Who has leased an instance, at `now` in milliseconds; undefined when nobody has. */
export function leaseHolder(
  { lease_owner: holder, lease_expires_at: end }: Partial<Pick<InstanceRow, 'lease_owner' | 'lease_expires_at'>>,
  now: number,
): string | undefined {
  if (typeof holder !== 'string' || holder === '') return undefined;
  return typeof end === 'number' && end * 1000 <= now ? undefined : holder;
}
