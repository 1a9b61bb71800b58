/** A policy without code: a file of rules that vetoes calls of tools and loads of skills, here or on their way through a gateway. */
import { resolve } from 'node:path';
import { definePlugin, messageOf } from '../../kernel/index.ts';
import { settings } from './config.ts';
import { policyErrors } from './errors.ts';

export const policyPlugin = definePlugin(
  { name: 'policy', config: settings, errors: policyErrors },
  async (_app, { kernel: { bus, hooks, schemas }, config, scope, log }) => {
    if (config.policy_file === null) return;
    const file = resolve(config.policy_file);
    try {
      const { openPolicy } = await import('./policy.ts');
      const { hook, close } = await openPolicy({ file, schemas, bus, log });
      scope.add('policy file', close);
      for (const name of ['tool.dispatched', 'skill.loading']) scope.add(name, hooks.before(name, hook));
    } catch (error) {
      throw policyErrors.FILE_INVALID({ file, reason: messageOf(error) }, error);
    }
    log.info({ file }, 'calls and loads are checked by a policy');
  },
);
