/** A policy without code: a file of rules that vetoes calls of tools and loads of skills. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { definePlugin, messageOf } from '../../kernel/index.ts';
import { settings } from './config.ts';
import { policyErrors } from './errors.ts';

export const policyPlugin = definePlugin(
  { name: 'policy', config: settings, errors: policyErrors },
  async (_app, { kernel, config, scope, log }) => {
    if (config.policy_file === null) return;
    const file = resolve(config.policy_file);
    try {
      const { readPolicy } = await import('./rules.ts');
      const policy = readPolicy(await readFile(file, 'utf8'), kernel.schemas);
      for (const name of ['tool.dispatched', 'skill.loading']) scope.add(name, kernel.hooks.before(name, policy));
    } catch (error) {
      throw policyErrors.FILE_INVALID({ file, reason: messageOf(error) }, error);
    }
    log.info({ file }, 'calls and loads are checked by a policy');
  },
);
