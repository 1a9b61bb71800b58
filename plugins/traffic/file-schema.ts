/** The shape of the file that says what of the traffic is captured. */
import { type Static, Type } from 'typebox';

const rule = Type.Record(
  Type.String({ minLength: 1 }),
  Type.Union([Type.String({ minLength: 1 }), Type.Number(), Type.Boolean()]),
  { minProperties: 1, maxProperties: 1, description: 'one path and its pattern, in which * stands for any text' },
);

const SinkSchema = Type.Object(
  {
    kind: Type.Enum(['sqlite', 'jsonl', 'admin_live']),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'of sqlite and jsonl; a relative one starts at the folder of the file',
      }),
    ),
    ring_buffer: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000, description: 'frames that admin_live keeps (default 1000)' }),
    ),
    max_bytes: Type.Optional(
      Type.Integer({ minimum: 1024, description: 'a jsonl file is turned over before it grows larger' }),
    ),
  },
  { additionalProperties: false },
);

export const TrafficFileSchema = Type.Object(
  {
    enabled: Type.Boolean({ default: true }),
    sinks: Type.Array(SinkSchema, { default: [] }),
    filters: Type.Object(
      { include: Type.Array(rule, { default: [] }), exclude: Type.Array(rule, { default: [] }) },
      { default: {}, additionalProperties: false },
    ),
    redact: Type.Array(
      Type.Record(Type.String({ minLength: 1 }), Type.String(), { minProperties: 1, maxProperties: 1 }),
      { default: [], description: 'paths in bodies, each with the text in place of what stands there' },
    ),
    queue_capacity: Type.Integer({
      default: 16_384,
      minimum: 1,
      maximum: 1_000_000,
      description: 'frames that may wait for each sink; newer ones are dropped',
    }),
    max_body_bytes: Type.Integer({
      default: 262_144,
      minimum: 0,
      maximum: 16_777_216,
      description: 'a longer body is left out of its frame',
    }),
  },
  { $id: 'svc:traffic', description: 'Traffic capture file', additionalProperties: false },
);

export type SinkEntry = Static<typeof SinkSchema>;
export type TrafficFile = Static<typeof TrafficFileSchema>;
