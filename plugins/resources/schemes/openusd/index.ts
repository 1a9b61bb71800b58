/** `openusd://`: the files of an OpenUSD project that the host registers. */
import { definePlugin } from '../../../../kernel/index.ts';
import { anyOf, inputOf } from '../../../../schemas/operation.ts';
import type { UsdProject } from './api.ts';
import { usdErrors } from './errors.ts';
import { checkedProject } from './given.ts';
import { createInventory } from './inventory.ts';
import { createProjectProducer } from './project.ts';
import { createProjectWatch } from './watch.ts';

const input = inputOf({ project: anyOf<UsdProject>() });

export const schemeOpenusdPlugin = definePlugin(
  { name: 'scheme-openusd', errors: usdErrors, dependencies: ['resources'] },
  (app, { scope, log }) => {
    const { resources } = app;
    let served: string | undefined;

    const register = async (project: UsdProject) => {
      const given = await checkedProject(project);
      if (served !== undefined) throw usdErrors.TAKEN({ label: served });
      const watch = createProjectWatch({ inventory: createInventory(given), resources, log });
      const producer = createProjectProducer(given, watch.inventory, resources.maxBytes);
      const remove = resources.addProducer(producer);
      served = given.label;
      resources.listChanged();
      return scope.add('openusd://', async () => {
        watch.close();
        await remove();
        served = undefined;
        resources.listChanged();
      });
    };
    app.decorate('schemeOpenusd', { register });
    scope.add(
      'operation',
      app.host.operation('registerOpenusd', input, ({ project }) => register(project)),
    );
  },
);
