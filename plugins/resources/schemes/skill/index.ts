/** `skill://`: the packages are Agent Skills and are served to agents as such, loaded or not (SEP-2640). */
import { definePlugin } from '../../../../kernel/index.ts';
import type {} from '../../../mcp/api.ts';
import type {} from '../../../skills/api.ts';
import type {} from '../../api.ts';
import { settings } from './config.ts';
import { servedSkillErrors } from './errors.ts';
import { addSkillMethods } from './methods.ts';
import { createSkillProducer } from './producer.ts';
import { createServedSkills } from './served-skills.ts';

export const schemeSkillPlugin = definePlugin(
  {
    name: 'scheme-skill',
    config: settings,
    errors: servedSkillErrors,
    dependencies: ['mcp', 'resources', 'skills'],
  },
  (app, { kernel, config, scope, log }) => {
    if (!config.agent_skills || !config.enable_resources) return;
    const { mcp, resources, skills } = app;
    const served = createServedSkills(skills, log);
    const { updated, removed, maxBytes } = resources;
    const { producer, look } = createSkillProducer({ served, maxBytes, updated, removed });
    scope.add('skill://', resources.addProducer(producer));
    addSkillMethods(kernel.rpc, scope, served, config);
    scope.add('extension', mcp.extension('io.modelcontextprotocol/skills', { directoryRead: true }));

    // The first look for packages changes nothing that anybody has seen.
    let discovered = false;
    void skills.discovered.then(() => {
      discovered = true;
    });
    const onPackages = kernel.bus.on('internal.skill.packages_changed', async ({ attributes }) => {
      if (!discovered) return;
      resources.listChanged();
      for (const name of [...attributes.changed, ...attributes.removed, ...attributes.added]) await look(name);
    });
    scope.add('packages', onPackages);
    const onFiles = kernel.bus.on('internal.skill.files_changed', ({ attributes }) => look(attributes.skill_name));
    scope.add('files', onFiles);
  },
);
