/** What the host does with skills; nothing is answered before the first look for packages is over. */
import { Type } from 'typebox';
import type { Host, Scope } from '../../kernel/index.ts';
import { inputOf, listOf, oneOf, optional, text } from '../../schemas/operation.ts';
import type { SkillsService } from './api.ts';
import { scopeOrder } from './catalog/search-paths.ts';

const named = inputOf({ name: text });
const words = Type.String();
const searched = inputOf({
  query: optional(words),
  tags: optional(listOf(words)),
  dcc: optional(words),
  scope: optional(oneOf(...scopeOrder)),
  limit: optional(Type.Integer({ minimum: 0 })),
});

export function addSkillOperations(host: Host, skills: SkillsService, scope: Scope): void {
  const once = async <T>(work: () => T): Promise<Awaited<T>> => {
    await skills.discovered;
    return await work();
  };
  const operations = [
    host.operation('discover', inputOf({ paths: optional(listOf(text)), dcc: optional(text) }), ({ paths, dcc }) =>
      once(() => skills.discover(paths, dcc)),
    ),
    host.operation('loadSkill', named, ({ name }) => skills.load(name)),
    host.operation('unloadSkill', named, ({ name }) => once(() => skills.unload(name))),
    host.operation('searchSkills', searched, input => once(() => skills.search(input))),
    host.operation('listSkills', inputOf({ status: optional(oneOf('loaded', 'unloaded')) }), ({ status }) =>
      once(() => skills.list(status)),
    ),
    host.operation('isLoaded', named, ({ name }) => once(() => skills.isLoaded(name))),
    host.operation('loadedCount', inputOf({}), () => once(() => skills.loadedCount())),
  ];
  for (const undo of operations) scope.add('operation', undo);
}
