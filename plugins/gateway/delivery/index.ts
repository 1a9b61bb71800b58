/** The delivery: what instances tell of a client's calls and jobs reaches that client, through one shared connection. */
import { definePlugin } from '../../../kernel/index.ts';
import type { DeliveryService } from './api.ts';
import { createDelivery } from './delivery.ts';
import { createJobOwners } from './job-owners.ts';
import { addJobRoutes } from './routes.ts';

export const deliveryPlugin = definePlugin(
  { name: 'delivery', dependencies: ['mcp', 'instances', 'backends'] },
  (app, { kernel, scope }) => {
    const { mcp, instances, backends } = app;
    const delivery = createDelivery(mcp, `gw-${kernel.ids.uuid().slice(0, 8)}`);
    scope.add('unclaimed notifications', delivery.dispose);
    scope.add(
      'job notifications',
      kernel.bus.on('internal.backend.notified', ({ attributes: { instance_id, method, params } }) => {
        delivery.take(instance_id, method, params);
      }),
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
  },
);
