/** `events://session/<id>`: the event buffers of host sessions. */
import { definePlugin } from '../../../../kernel/index.ts';
import { inputOf, key, text } from '../../../../schemas/operation.ts';
import type {} from './api.ts';
import type { EventPage } from './buffer.ts';
import { createSessionEvents } from './session-events.ts';
import { type PageQuestion, pageQuestion } from './wire.ts';

const input = inputOf({ key, session_id: text });

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
    const register = app.host.operation('registerSessionEventBuffer', input, ({ key, session_id }) =>
      events.registerSessionEventBuffer({
        session_id,
        page: async options => (await app.host.ask(pageQuestion, { key, options } satisfies PageQuestion)) as EventPage,
      }),
    );
    scope.add('operation', register);
  },
);
