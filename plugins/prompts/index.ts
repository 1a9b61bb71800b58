/** Prompts: templates that loaded skills offer, as MCP's prompts capability. */

import { definePlugin } from '../../kernel/index.ts';
import type { PromptsService } from './api.ts';
import { promptErrors } from './errors.ts';
import { addHostPrompts } from './host-prompts.ts';
import type { PromptSource } from './methods/api.ts';
import { checkPrompts } from './prompt-check.ts';
import { createPrompts } from './prompts.ts';
import { createSkillPrompts } from './skill-prompts.ts';

type SkillEventName = 'skill.loaded' | 'skill.unloaded' | 'internal.skill.files_changed';

export const promptsPlugin = definePlugin(
  { name: 'prompts', errors: promptErrors, dependencies: ['prompt-methods', 'skills'] },
  (app, { kernel, scope, log }) => {
    const { promptMethods, skills } = app;
    let changed = false;
    let closing = false;
    // One notification for all that a load brings: sent when nothing is being read any more.
    const tell = (): void => {
      if (!changed || closing || reader.busy) return;
      changed = false;
      promptMethods.changed();
    };
    const prompts = createPrompts({
      onChange() {
        changed = true;
        tell();
      },
    });
    const reader = createSkillPrompts({ skills, prompts, log, onSettled: tell });
    scope.add('skill prompts', () => {
      closing = true;
      reader.dispose();
    });

    const follow = (name: SkillEventName, act: (skill: string) => void): void => {
      const undo = kernel.bus.on(name, ({ attributes }) => act(attributes.skill_name));
      scope.add(name, undo);
    };
    follow('skill.loaded', reader.refresh);
    follow('internal.skill.files_changed', reader.refresh);
    follow('skill.unloaded', reader.drop);
    scope.add('prompt check', skills.addCheck(checkPrompts));
    for (const { name } of skills.list('loaded')) reader.refresh(name);

    addHostPrompts({ host: app.host, prompts, scope, timeoutMs: kernel.config.request_timeout_ms });
    const service: PromptsService = { ...prompts, settled: reader.settled };
    app.decorate('prompts', service);
    // A client that was told of a loaded skill finds its prompts: what is being read is waited for.
    const { settled, list, render, complete } = service;
    const source: PromptSource = {
      list: () => settled().then(list),
      render: (name, args, caller) => settled().then(() => render(name, args, caller)),
      complete: (name, argument) => complete(name, argument.name, argument.value),
    };
    scope.add('prompts capability', promptMethods.serve(source));
  },
);
