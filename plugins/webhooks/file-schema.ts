/** The shape of `webhooks.yaml`. */
import { type Static, Type } from 'typebox';

const text = Type.String({ minLength: 1 });
const delivery = Type.Object(
  {
    attempts: Type.Integer({ default: 3, minimum: 1, maximum: 100, description: 'how often a delivery is tried' }),
    timeout_ms: Type.Integer({
      default: 2000,
      minimum: 1,
      maximum: 600_000,
      description: 'longest wait of each attempt',
    }),
    backoff_ms: Type.Array(Type.Integer({ minimum: 0, maximum: 3_600_000 }), {
      default: [200, 1000, 5000],
      description: 'waits after attempts that failed; the last one repeats',
    }),
  },
  { default: {}, additionalProperties: false },
);

export const WebhookEntrySchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'one line, unique in the file' }),
    url: Type.String({ minLength: 1, description: 'http or https; variables of the environment are filled in' }),
    kind: Type.Enum(['generic', 'chatrobot', 'wecom'], {
      default: 'generic',
      description: '`generic` sends JSON, `chatrobot` a markdown message; `wecom` is its older name',
    }),
    events: Type.Array(text, { minItems: 1, description: 'names of events, or wildcards as `tool.*`' }),
    headers: Type.Record(Type.String(), Type.String(), {
      default: {},
      description: 'sent with every delivery; variables of the environment are filled in',
    }),
    delivery,
    filters: Type.Array(
      Type.Record(
        Type.String({ minLength: 1 }),
        Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
        {
          minProperties: 1,
        },
      ),
      { default: [], description: 'rules, one of which must hold: a path in the event and what stands there' },
    ),
    payload_template: Type.Optional(
      Type.Unknown({ description: 'the body instead of the event itself, with placeholders {{attributes.tool_slug}}' }),
    ),
    message_template: Type.Optional(
      Type.String({ minLength: 1, description: 'the text of a chatrobot, with placeholders and $tool-slug' }),
    ),
  },
  { additionalProperties: false },
);

export const WebhooksFileSchema = Type.Object(
  {
    queue_capacity: Type.Integer({
      default: 1024,
      minimum: 1,
      maximum: 1_000_000,
      description: 'deliveries that may wait for each webhook; newer ones are dropped',
    }),
    webhooks: Type.Array(WebhookEntrySchema, { default: [] }),
  },
  { $id: 'svc:webhooks', description: 'Webhooks file', additionalProperties: false },
);

export type WebhookEntry = Static<typeof WebhookEntrySchema>;
export type WebhooksFile = Static<typeof WebhooksFileSchema>;
