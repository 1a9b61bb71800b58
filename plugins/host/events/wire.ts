/** What the server tells and asks the host's subscribers and hooks. */
import type { EventEnvelope } from '../../../kernel/light.ts';

export const deliverQuestion = 'events.deliver';
export const hookQuestion = 'events.before';
/** Tells the shared counter of events that the host has taken. */
export const counterQuestion = 'events.counter';

export interface Delivery {
  key: number;
  event: EventEnvelope;
}
