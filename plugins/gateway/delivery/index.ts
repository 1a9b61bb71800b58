/** The delivery: what instances tell of a client's calls and jobs reaches that client, through one shared connection. */
import { definePlugin } from '../../../kernel/index.ts';
import type { DeliveryService } from './api.ts';
import { createDelivery } from './delivery.ts';
import { createJobOwners } from './job-owners.ts';
import { createMemoryOutbox, createMemoryOwners } from './memory-store.ts';
import { addJobRoutes } from './routes.ts';
import type { CallOwners, Outbox } from './store.ts';

/** The plugin over the stores that `open` makes. */
export const deliveryOver = (open: () => { owners: CallOwners; outbox: Outbox }) =>
  definePlugin({ name: 'delivery', dependencies: ['mcp', 'instances', 'backends'] }, (app, { kernel, scope, log }) => {
    const { mcp, instances, backends } = app;
    const delivery = createDelivery({ mcp, tokenPrefix: `gw-${kernel.ids.uuid().slice(0, 8)}`, log, ...open() });
    scope.add('unclaimed notifications', delivery.dispose);
    scope.add(
      'job notifications',
      backends.onNotification((backend, method, params) => void delivery.take(backend.instance_id, method, params)),
    );
    const ownerOf = createJobOwners({ delivery, instances, backends });
    const service: DeliveryService = {
      begin: delivery.begin,
      ownerOf,
      mountRoutes: (routes, requestId) =>
        addJobRoutes(routes, {
          requestId,
          backendOf: async jobId => backends.get((await ownerOf(jobId)).instance_id),
        }),
    };
    app.decorate('delivery', service);
  });

export const deliveryPlugin = deliveryOver(() => ({ owners: createMemoryOwners(), outbox: createMemoryOutbox() }));
