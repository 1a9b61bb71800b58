/** The relay: what instances tell of a client's calls and jobs reaches that client, through one shared connection. */
import { definePlugin } from '../../../kernel/index.ts';
import type { RelayService } from './api.ts';
import { createJobOwners } from './job-owners.ts';
import { createRelay } from './relay.ts';
import { addJobRoutes } from './routes.ts';

export const relayPlugin = definePlugin(
  { name: 'relay', dependencies: ['mcp', 'instances', 'backends'] },
  (app, { kernel, scope }) => {
    const { mcp, instances, backends } = app;
    const relay = createRelay(mcp, `gw-${kernel.ids.uuid().slice(0, 8)}`);
    scope.add('unclaimed notifications', relay.dispose);
    scope.add(
      'job notifications',
      backends.onNotification((backend, method, params) => void relay.take(backend.instance_id, method, params)),
    );
    const ownerOf = createJobOwners({ relay, instances, backends });
    const service: RelayService = {
      begin: relay.begin,
      ownerOf,
      mountRoutes: (routes, requestId) =>
        addJobRoutes(routes, {
          requestId,
          backendOf: async jobId => backends.get((await ownerOf(jobId)).instance_id),
        }),
    };
    app.decorate('relay', service);
  },
);
