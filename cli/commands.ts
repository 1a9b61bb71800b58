/** Every command by its id: oclif's explicit strategy, so that a bundler sees them all. */
import { Gateway } from './commands/gateway.ts';
import { Serve } from './commands/serve.ts';
import { SkillsList } from './commands/skills/list.ts';
import { SkillsNew } from './commands/skills/new.ts';
import { SkillsValidate } from './commands/skills/validate.ts';

export const COMMANDS = {
  serve: Serve,
  gateway: Gateway,
  'skills:list': SkillsList,
  'skills:new': SkillsNew,
  'skills:validate': SkillsValidate,
};
