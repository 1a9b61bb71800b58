/** Aggregation: the resources and prompts of every live instance, as if they were the gateway's own. */
import { definePlugin } from '../../../kernel/index.ts';
import type { AggregationService } from './api.ts';
import { createBackendPrompts } from './backend-prompts.ts';
import { createBackendResources } from './backend-resources.ts';

export const aggregationPlugin = definePlugin(
  { name: 'aggregation', dependencies: ['prompt-methods', 'resources', 'instances', 'backends'] },
  (app, { scope, log }) => {
    const { promptMethods, resources, instances, backends } = app;
    const found = createBackendResources({
      ...{ backends, log },
      updated: resources.updated,
      listChanged: resources.listChanged,
    });
    scope.add('resources of instances', found.dispose);
    scope.add('producer', resources.addProducer(found.producer));

    const prompts = createBackendPrompts({ backends, log, listChanged: promptMethods.changed });
    scope.add('prompts of instances', prompts.dispose);
    scope.add('prompts capability', promptMethods.serve(prompts));

    // An instance that comes or goes brings or takes what it lists.
    scope.add(
      'instances',
      instances.onChange(({ kind }) => {
        if (kind === 'changed') return;
        resources.listChanged();
        promptMethods.changed();
      }),
    );

    const service: AggregationService = {
      prompts: prompts.list,
      renderPrompt: prompts.render,
    };
    app.decorate('aggregation', service);
  },
);
