/** What webhooks tell the bus. `source` has `service` and `webhook`, `correlation` the `event_id` and `event_name` that was lost. */

export type DeliveryFailure = {
  /** Name of the webhook. */
  webhook: string;
  /** Its address without what may be secret in it. */
  url: string;
  attempts: number;
  error: string;
};

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'webhook.delivery_failed': DeliveryFailure;
  }
}

export const webhookEvents = {
  'webhook.delivery_failed': 'all attempts to deliver an event to a webhook failed',
} as const;
