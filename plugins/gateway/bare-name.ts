/** A tool's name where a slug is wanted: which tools it may mean, and what to do to call them. Nothing is called by it. */
import type { SvcError } from '../../kernel/index.ts';
import { gatewayErrors } from './errors.ts';
import type { CapabilityRecord } from './index/api.ts';
import { activation, rankerVersion } from './next-step.ts';
import type { Parts } from './parts.ts';

const mostShown = 10;

export type BareNames = ReturnType<typeof createBareNames>;

export function createBareNames({ capabilities, policy }: Pick<Parts, 'capabilities' | 'policy'>) {
  const named = (name: string): CapabilityRecord[] => {
    const wanted = spelled(name);
    if (wanted === '') return [];
    return capabilities
      .search({ query: name, limit: 50 })
      .hits.filter(hit => [hit.backend_tool, hit.callable_id, bareOf(hit)].some(each => spelled(each) === wanted))
      .filter(policy.allows);
  };

  return {
    /** What to tell who named tools so; undefined when no tool that may be called has that name. */
    meant(name: string): SvcError | undefined {
      const records = named(name);
      const [first] = records;
      if (!first) return undefined;
      const slugs = records.map(each => each.tool_slug).slice(0, mostShown);
      const skills = new Set(records.map(each => each.skill_name));
      const next_step = activation(first, { ranker_version: rankerVersion, index_generation: capabilities.generation });
      const { tool_slug: slug, skill_name: skill, tool_group: group } = first;
      const asked = { tool_slug: name.slice(0, 200), candidates: slugs };
      if (records.some(each => each.loaded && each.group_active)) {
        return gatewayErrors.BARE_NAME({ ...asked, shown: slugs.join(', ') });
      }
      if (skills.size === 1 && first.loaded) return gatewayErrors.GROUP_INACTIVE({ ...asked, slug, group, next_step });
      return gatewayErrors.SKILL_NOT_LOADED({ ...asked, slug, skill, next_step });
    },
  };
}

/** Whether a text was refused because it is no slug at all. */
export const isNoSlug = (error: unknown): boolean =>
  (error as Partial<SvcError>).code === 'SVC_CAPABILITIES_SLUG_INVALID';

const spelled = (name: string): string => name.replaceAll('-', '_').toLowerCase();

/** Without the skill in front of it. */
const bareOf = ({ callable_id }: CapabilityRecord): string => callable_id.slice(callable_id.lastIndexOf('__') + 2);
