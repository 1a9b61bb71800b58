/** `openusd://`: the files of an OpenUSD project that the host registers. */
import { definePlugin } from '../../kernel/index.ts';
import type { UsdProject } from './api.ts';
import { usdErrors } from './errors.ts';
import { checkedProject } from './given.ts';
import { createProjectProducer } from './project.ts';

export const schemeOpenusdPlugin = definePlugin(
  { name: 'scheme-openusd', dependencies: ['resources'] },
  (app, { config, scope }) => {
    const { resources } = app;
    let served: string | undefined;

    const register = async (project: UsdProject) => {
      const given = await checkedProject(project);
      if (served !== undefined) throw usdErrors.TAKEN({ label: served });
      const remove = resources.addProducer(createProjectProducer(given, config.max_resource_bytes));
      served = given.label;
      resources.listChanged();
      return scope.add('openusd://', async () => {
        await remove();
        served = undefined;
        resources.listChanged();
      });
    };
    app.decorate('schemeOpenusd', { register });
  },
);
