/** Resources: live host state that clients list, read and follow. Schemes are plugins of their own. */

import { after, definePlugin, isPromise, type RpcSession } from '../../kernel/index.ts';
import { isGateway } from '../../schemas/on-behalf.ts';
import type { ResourcesService } from './api.ts';
import { settings } from './config.ts';
import { resourceErrors } from './errors.ts';
import { resourcesEvents } from './events.ts';
import { createFollowing } from './following.ts';
import { createListening } from './listening.ts';
import { createMemorySubscriptions } from './memory-store.ts';
import { addResourceMethods, refuseResourceMethods } from './methods.ts';
import { addResourceOperations } from './operations.ts';
import { createResources } from './resources.ts';
import { addResourceRoutes } from './routes.ts';
import type { SubscriptionStore } from './store.ts';
import { createSubscriptions } from './subscriptions.ts';
import { createUpdateEvents } from './update-events.ts';
import { createUpdates } from './updates.ts';
import { baseOf, listedUri, schemeOf } from './uri.ts';

const meta = {
  name: 'resources',
  errors: resourceErrors,
  config: settings,
  dependencies: ['mcp'],
  events: resourcesEvents,
} as const;

/** The plugin over the store that `open` makes. */
export const resourcesOver = (open: () => SubscriptionStore) =>
  definePlugin(meta, (app, { kernel, config, scope, log }) => {
    const resources = createResources({
      timeoutMs: kernel.config.request_timeout_ms,
      maxBytes: config.max_resource_bytes,
      onFailure: (scheme, err) => log.warn({ scheme, err }, 'a resource producer failed to list'),
    });
    const store = open();
    const { max_session_subscriptions: limit } = config;
    // A gateway counts for each of its clients, of which it may have as many as this server.
    const limitOf = ({ clientCapabilities }: RpcSession): number =>
      isGateway(clientCapabilities) ? limit * app.mcp.streams.limit : limit;
    const subscriptions = createSubscriptions(limitOf, store);
    const following = createFollowing(resources.ownUri, err =>
      log.warn({ err }, 'a producer failed to end a subscription'),
    );
    const tellFollowers = (uri: string): void => {
      const told = after(store.followers(uri), found => {
        for (const [followed, sessions] of found) {
          app.mcp.multicast(sessions, 'notifications/resources/updated', { uri: followed });
        }
      });
      if (isPromise(told)) told.catch(err => log.error({ err, uri }, 'the followers of a resource were not told'));
      if (!kernel.bus.wants('internal.resource.updated')) return;
      kernel.bus.emit('internal.resource.updated', { attributes: { uri } });
    };
    const updates = createUpdates({
      restMs: config.resource_update_interval_ms,
      send: tellFollowers,
      onFailure: err => log.error({ err }, 'a follower of a resource failed'),
    });
    scope.add('updates', updates.dispose);
    const relist = (): void => app.mcp.broadcast('notifications/resources/list_changed');
    scope.add('resources.list_changed', kernel.bus.on('resources.list_changed', relist));

    if (config.enable_resources) {
      const pageSize = config.resources_page_size;
      addResourceMethods({ rpc: kernel.rpc, scope, resources, subscriptions, following, pageSize, limit });
      const listening = createListening({ resources, following, updates, limit });
      scope.add('listening', app.mcp.listen('resourceSubscriptions', listening));
      scope.add('capability', app.mcp.capability('resources', { subscribe: true, listChanged: true }));
      scope.add(
        'completion',
        app.mcp.completion('ref/resource', async ({ ref, argument }) => {
          const template = String(ref.uri);
          const producer = await resources.completer(template);
          if (!producer) return undefined;
          return (await producer.complete?.(template, argument.name, argument.value)) ?? [];
        }),
      );
    } else {
      refuseResourceMethods(kernel.rpc, scope);
    }

    const service: ResourcesService = {
      maxBytes: config.max_resource_bytes,
      get followingSessions() {
        return subscriptions.sessions;
      },
      addProducer(producer) {
        const remove = resources.addProducer(producer);
        let gone = false;
        return async () => {
          if (gone) return;
          gone = true;
          await remove();
          updates.removed(uri => uri.startsWith(`${producer.scheme}://`));
        };
      },
      hold: resources.hold,
      list: resources.list,
      templates: resources.templates,
      read: resources.read,
      check: uri => void resources.require(schemeOf(uri), uri),
      updated: uri => updates.updated(listedUri(uri)),
      removed(given) {
        const uri = listedUri(given);
        updates.removed(each => baseOf(each) === uri);
        // MCP has no other word for it: who reads again learns that it is gone.
        if (!resources.require(schemeOf(uri), uri).polled) tellFollowers(uri);
      },
      onUpdated(uri, listener) {
        const stop = updates.onUpdated(uri, listener);
        const taken = following.take(resources.require(schemeOf(uri), uri), uri, listener);
        taken?.catch(err => log.warn({ uri, err }, 'a resource cannot be followed at its producer'));
        return () => {
          void stop();
          taken?.then(leave => leave()).catch(() => undefined);
        };
      },
      listChanged: () => void kernel.bus.emit('resources.list_changed'),
      mountRoutes: (routes, tools) =>
        addResourceRoutes(routes, { resources: service, enabled: config.enable_resources, events, tools }),
    };
    const events = createUpdateEvents({
      onUpdated: service.onUpdated,
      ...app.mcp.streams,
    });
    app.decorate('resources', service);
    addResourceOperations({ host: app.host, resources: service, maxBytes: config.max_resource_bytes, scope });
  });

export const resourcesPlugin = resourcesOver(createMemorySubscriptions);
