/** Where the application is reached: binding its addresses, and draining them when it closes. The first plugin. */

import { definePlugin } from '../../kernel/index.ts';
import { listenerErrors } from './errors.ts';
import './api.ts';
import { createDrain } from './drain.ts';
import { createListener } from './listener.ts';

export const listenerPlugin = definePlugin({ name: 'listener', errors: listenerErrors }, (app, { kernel, scope }) => {
  const drain = createDrain(kernel.config.shutdown_grace_ms);
  const listener = createListener(app, drain);
  app.decorate('listener', listener);
  scope.add('drain', drain.end);
  scope.add(
    'start',
    app.host.start(async () => ({ ...(await listener.listen()) })),
  );
  let closing = false;
  app.addHook('onRequest', (request, _reply, done) =>
    closing && !request.routeOptions.config.refusesWhenClosing ? done(listenerErrors.CLOSING()) : done(),
  );
  // The application waits for requests in flight; whoever is still connected after the grace is cut off.
  app.addHook('preClose', async () => {
    closing = true;
    kernel.bus.emit('internal.closing');
    listener.stop();
    drain.begin();
  });
});
