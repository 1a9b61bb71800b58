/** The methods of the skills extension (SEP-2640): skills/list, skills/get and resources/directory/read. */
import { pageOf, type Rpc, type RpcHandler, type Scope } from '../../../../kernel/index.ts';
import type { Settings } from './config.ts';
import type { ServedSkills } from './served-skills.ts';

export function addSkillMethods(rpc: Rpc, scope: Scope, served: ServedSkills, settings: Settings): void {
  const handlers: Record<string, RpcHandler> = {
    async 'skills/list'({ cursor }) {
      const { items, nextCursor } = pageOf(served.folders(), cursor, settings.skills_page_size);
      return { skills: await served.entries(items), ...(nextCursor && { nextCursor }) };
    },
    async 'skills/get'({ uri }) {
      return { skill: await served.entry(uri) };
    },
    async 'resources/directory/read'({ uri, cursor }) {
      const { items, nextCursor } = pageOf(await served.children(uri), cursor, settings.resources_page_size);
      return { resources: items, ...(nextCursor && { nextCursor }) };
    },
  };
  for (const [name, handler] of Object.entries(handlers)) scope.add(name, rpc.method(name, handler));
}
