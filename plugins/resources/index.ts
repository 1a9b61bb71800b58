/** Resources: live host state that clients list, read and follow. Schemes are plugins of their own. */
import { definePlugin } from '../../kernel/index.ts';
import type { ResourcesService } from './api.ts';
import { addResourceMethods, refuseResourceMethods } from './methods.ts';
import { createResourceRegistry } from './resources.ts';
import { baseOf, createSubscriptions } from './subscriptions.ts';
import { createUpdates } from './updates.ts';
import { schemeOf } from './uri.ts';

export const resourcesPlugin = definePlugin(
  { name: 'resources', dependencies: ['mcp'] },
  (app, { kernel, config, scope, log }) => {
    const registry = createResourceRegistry({
      timeoutMs: config.request_timeout_ms,
      maxBytes: config.max_resource_bytes,
      onFailure: (scheme, err) => log.warn({ scheme, err }, 'a resource producer failed to list'),
    });
    const subscriptions = createSubscriptions(config.max_session_subscriptions);
    const updates = createUpdates({
      restMs: config.resource_update_interval_ms,
      send(uri) {
        for (const [followed, sessions] of subscriptions.followers(uri)) {
          app.mcp.multicast(sessions, 'notifications/resources/updated', { uri: followed });
        }
      },
      onFailure: err => log.error({ err }, 'a follower of a resource failed'),
    });
    scope.add('updates', updates.dispose);

    if (config.enable_resources) {
      addResourceMethods({ rpc: kernel.rpc, scope, registry, subscriptions, pageSize: config.resources_page_size });
      scope.add('capability', app.mcp.capability('resources', { subscribe: true, listChanged: true }));
      scope.add(
        'completion',
        app.mcp.completion('ref/resource', ({ ref, argument }) => {
          const template = String(ref.uri);
          const complete = registry.completer(template)?.complete;
          return complete?.(template, argument.name, argument.value) ?? (registry.completer(template) ? [] : undefined);
        }),
      );
    } else {
      refuseResourceMethods(kernel.rpc, scope);
    }

    const service: ResourcesService = {
      addProducer(producer) {
        const remove = registry.addProducer(producer);
        let gone = false;
        return async () => {
          if (gone) return;
          gone = true;
          await remove();
          updates.removed(uri => uri.startsWith(`${producer.scheme}://`));
        };
      },
      list: registry.list,
      templates: registry.templates,
      read: registry.read,
      check: uri => void registry.require(schemeOf(uri), uri),
      updated: updates.updated,
      removed: uri => updates.removed(each => baseOf(each) === uri),
      onUpdated: updates.onUpdated,
      listChanged: () => app.mcp.broadcast('notifications/resources/list_changed'),
    };
    app.decorate('resources', service);
  },
);
