/** Aggregation: the resources and prompts of every live instance, as if they were the gateway's own. */

import { definePlugin } from '../../../kernel/index.ts';
import type {} from '../../mcp/api.ts';
import type {} from './api.ts';
import { createBackendPrompts } from './backend-prompts.ts';
import { createBackendResources } from './backend-resources.ts';
import { addBackendSkills } from './backend-skills.ts';
import { settings } from './config.ts';
import { aggregationErrors } from './errors.ts';

export const aggregationPlugin = definePlugin(
  {
    name: 'aggregation',
    config: settings,
    errors: aggregationErrors,
    dependencies: ['mcp', 'prompt-methods', 'resources', 'backends'],
  },
  (app, { kernel: { bus, rpc }, config, scope, log }) => {
    const { promptMethods, resources, backends } = app;
    const { listChanged, updated } = resources;
    const found = createBackendResources({ backends, bus, log, listChanged }, updated);
    scope.add('resources of instances', found.dispose);
    scope.add('producer', resources.addProducer(found.producer));

    if (config.agent_skills && config.enable_resources) {
      addBackendSkills({ backends, bus, log, rpc, scope, pageSize: config.skills_page_size });
      scope.add('skills extension', app.mcp.extension('io.modelcontextprotocol/skills', { directoryRead: true }));
    }

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
