/** The ring behind `resources://gateway/events`. */
import { definePlugin } from '../../../kernel/index.ts';
import type {} from './api.ts';
import { createEventRing } from './event-ring.ts';

export const gatewayEventsPlugin = definePlugin({ name: 'gateway-events' }, (app, { kernel, log }) => {
  const ring = createEventRing(kernel.ids.now, err => log.error({ err }, 'a follower of the gateway events failed'));
  app.decorate('gatewayEvents', ring);
});
