/** The ring behind `resources://gateway/events`. */
import { definePlugin } from '../../../kernel/index.ts';
import type {} from './api.ts';
import { createEventRing } from './event-ring.ts';
import { gatewayEvents } from './events.ts';

export const gatewayEventsPlugin = definePlugin(
  { name: 'gateway-events', events: gatewayEvents },
  (app, { kernel, scope }) => {
    const ring = createEventRing(kernel.bus, kernel.ids.now);
    scope.add('ring', ring.dispose);
    app.decorate('gatewayEvents', ring);
  },
);
