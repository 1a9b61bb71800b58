/** Aggregation: the resources and prompts of every live instance, as if they were the gateway's own. */

import { definePlugin } from '../../../kernel/index.ts';
import type {} from './api.ts';
import { createBackendPrompts } from './backend-prompts.ts';
import { createBackendResources } from './backend-resources.ts';
import { aggregationErrors } from './errors.ts';

export const aggregationPlugin = definePlugin(
  { name: 'aggregation', errors: aggregationErrors, dependencies: ['prompt-methods', 'resources', 'backends'] },
  (app, { kernel: { bus }, scope, log }) => {
    const { promptMethods, resources, backends } = app;
    const { listChanged, updated } = resources;
    const found = createBackendResources({ backends, bus, log, listChanged }, updated);
    scope.add('resources of instances', found.dispose);
    scope.add('producer', resources.addProducer(found.producer));

    const prompts = createBackendPrompts({ backends, bus, log, listChanged: promptMethods.changed });
    scope.add('prompts of instances', prompts.dispose);
    scope.add('prompts capability', promptMethods.serve(prompts));

    // An instance that comes or goes brings or takes what it lists.
    const changed = (): void => {
      resources.listChanged();
      promptMethods.changed();
    };
    for (const name of ['instance.appeared', 'instance.left']) scope.add(name, bus.on(name, changed));

    app.decorate('aggregation', { prompts: prompts.list, renderPrompt: prompts.render });
  },
);
