/** POST /v1/search: the ranking of search_tools, over tools that are loaded and those that a load would bring. */
import { isObject, type Json, text, texts } from '../../../schemas/loose.ts';
import type { SkillsService } from '../../skills/api.ts';
import type { ToolRecord, ToolsService } from '../../tools/api.ts';
import type { Capabilities, CapabilityRow } from './capabilities.ts';

export interface SearchDeps {
  tools: Pick<ToolsService, 'call' | 'get'>;
  skills: Pick<SkillsService, 'list'>;
  capabilities: Capabilities;
}

const mostHits = 100;
const defaultHits = 25;

type Hit = Record<string, unknown>;
type Candidate = { row: CapabilityRow; tags: readonly string[] };

export function createCapabilitySearch({ tools, skills, capabilities }: SearchDeps) {
  const loadedHits = (hits: readonly Hit[]): Candidate[] => {
    const scopes = capabilities.scopes();
    return hits.flatMap(hit => {
      const tool: ToolRecord | undefined = tools.get(String(hit.name));
      if (tool?.source !== 'skill' && tool?.source !== 'host') return [];
      return [{ row: capabilities.loadedRow(tool, scopes), tags: tool.tags }];
    });
  };

  const unloadedHits = (hits: readonly Hit[]): Candidate[] => {
    if (hits.length === 0) return [];
    const unloaded = new Map(skills.list('unloaded').map(each => [each.name, each]));
    return hits.flatMap(hit => {
      const skill = unloaded.get(String(hit.skill_name));
      if (!skill) return [];
      const matching = texts(hit.matching_tools);
      // A skill that matches by its own words offers all that it has.
      const actions = matching.length > 0 ? matching : skill.tool_names;
      return actions.map(action => ({ row: capabilities.unloadedRow(skill, action), tags: skill.tags }));
    });
  };

  return async (body: Json): Promise<CapabilityRow[]> => {
    const args = {
      query: text(body.query) ?? '',
      include_disabled: true,
      include_unloaded_skills: body.loaded_only !== true,
      limit: mostHits,
    };
    const { structuredContent } = await tools.call({ name: 'search_tools', args });
    const found = isObject(structuredContent) ? structuredContent : {};
    const rows = (list: unknown) => (Array.isArray(list) ? list.filter(isObject) : []);
    const passes = filterOf(body);
    return [...loadedHits(rows(found.tools)), ...unloadedHits(rows(found.skill_candidates))]
      .filter(passes)
      .slice(0, limitOf(body.limit))
      .map(each => each.row);
  };
}

function limitOf(limit: unknown): number {
  return typeof limit === 'number' && limit >= 1 ? Math.min(Math.floor(limit), mostHits) : defaultHits;
}

/** `dcc_type` and `dcc_types` name alternatives; every one of `tags`, and one of `tags_any`, must be there. */
function filterOf(body: Json): (candidate: Candidate) => boolean {
  const lower = (list: readonly string[]): string[] => list.map(each => each.toLowerCase());
  const hosts = lower([text(body.dcc_type), ...texts(body.dcc_types)].filter(each => each !== undefined));
  const [all, any] = [lower(texts(body.tags)), lower(texts(body.tags_any))];
  const scope = text(body.scope);
  return ({ row, tags }) => {
    const own = lower(tags);
    return (
      (hosts.length === 0 || hosts.includes(row.dcc.toLowerCase())) &&
      all.every(each => own.includes(each)) &&
      (any.length === 0 || any.some(each => own.includes(each))) &&
      (scope === undefined || row.scope === scope)
    );
  };
}
