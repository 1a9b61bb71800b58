/** `events://session/<id>`: the event buffers of host sessions. */
import { definePlugin } from '../../../../kernel/index.ts';
import type {} from './api.ts';
import { createSessionEvents } from './session-events.ts';

export const schemeSessionEventsPlugin = definePlugin(
  { name: 'scheme-session-events', dependencies: ['resources'] },
  (app, { kernel, scope }) => {
    const events = createSessionEvents({
      nowNs: kernel.ids.nowNs,
      onListChange: () => app.resources.listChanged(),
      onRemoved: uri => app.resources.removed(uri),
    });
    scope.add('events://', app.resources.addProducer(events.producer));
    app.decorate('schemeSessionEvents', events);
  },
);
