/** Reads the skills of one instance through its own tools: list_skills, then get_skill_info where it tells more. */
import { isSvcError, messageOf } from '../../../kernel/index.ts';
import { objectOf } from '../../../schemas/loose.ts';
import type { Backend } from '../backends/api.ts';
import type { AvailableGroup } from './api.ts';
import { type Fields, type SkillFacts, textOf, wordsIn } from './records.ts';

const limits = { skills: 5000, atOnce: 4, page: 50 };
const toolNotFound = -32000;

/** What is read is asked of one instance. */
export type Asked = Pick<Backend, 'request' | 'instance'>;

export interface Skill {
  facts: SkillFacts;
  loaded: boolean;
  /** Declared tools, of unloaded skills. */
  tools: Fields[];
}

/** Every skill with its hints; the tools of those that are not loaded. What fails is told in `problems`. */
export async function readSkills(
  backend: Asked,
  signal: AbortSignal,
  listed: readonly Fields[],
  problems: string[],
): Promise<Skill[]> {
  const grouped = new Set(
    listed
      .map(each => objectOf(objectOf(each._meta).dcc))
      .filter(dcc => dcc.group)
      .map(dcc => textOf(dcc.skill_name)),
  );
  const rows: Fields[] = [];
  const found: Skill[] = [];
  try {
    for (let offset = 0; offset < limits.skills; ) {
      const fields = ['name', 'loaded', 'tags', 'search_hint'];
      const page = await ask(backend, signal, 'list_skills', { limit: limits.page, offset, fields });
      const own = Array.isArray(page.skills) ? page.skills.map(objectOf) : [];
      rows.push(...own);
      offset += limits.page;
      if (page.truncated !== true || own.length === 0) break;
    }
    const waiting = [...rows];
    const work = async (): Promise<void> => {
      for (let row = waiting.shift(); row; row = waiting.shift()) {
        const name = textOf(row.name);
        if (name === '') continue;
        const loaded = row.loaded === true;
        if (loaded && !grouped.has(name)) {
          found.push({ facts: factsOf(row), loaded, tools: [] });
          continue;
        }
        try {
          const info = await ask(backend, signal, 'get_skill_info', { skill_name: name });
          const tools = Array.isArray(info.tools) ? info.tools.map(objectOf) : [];
          found.push({ facts: factsOf({ ...row, ...info }), loaded, tools });
        } catch (error) {
          if (signal.aborted) throw error;
          problems.push(`the skill "${name.slice(0, 80)}" cannot be read: ${messageOf(error).slice(0, 200)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: limits.atOnce }, work));
  } catch (error) {
    if (signal.aborted) throw error;
    // A server without skills has no such tool.
    if (isSvcError(error) && error.row.rpc === toolNotFound) return [];
    problems.push(`its skills cannot be listed: ${messageOf(error).slice(0, 200)}`);
  }
  return found.sort((a, b) => (a.facts.name < b.facts.name ? -1 : 1));
}

/** The JSON that a built-in tool answers with. */
async function ask(backend: Asked, signal: AbortSignal, name: string, args: Fields): Promise<Fields> {
  const result = objectOf(await backend.request('tools/call', { name, arguments: args }, { signal, idempotent: true }));
  const [content] = Array.isArray(result.content) ? result.content : [];
  const text = textOf(objectOf(content).text);
  if (result.isError === true) throw new Error(text.slice(0, 200) || `${name} failed`);
  return objectOf(result.structuredContent ?? JSON.parse(text));
}

const factsOf = (row: Fields): SkillFacts => ({
  name: textOf(row.name),
  tags: wordsIn(row.tags),
  search_hint: textOf(row.search_hint),
  search_aliases: wordsIn(row.search_aliases),
  groups: (Array.isArray(row.groups) ? row.groups : []).map(objectOf).flatMap((group): AvailableGroup[] => {
    const name = textOf(group.name);
    const description = textOf(group.description);
    const members = wordsIn(group.tools);
    const own = { name, default_active: group.default_active === true };
    return name === ''
      ? []
      : [{ ...own, ...(description !== '' && { description }), ...(members.length > 0 && { tools: members }) }];
  }),
});
