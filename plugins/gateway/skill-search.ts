/** Skills of every live instance, asked for in parallel; an instance that fails is a row that says so (shape:gateway-tools). */

import { messageOf } from '../../kernel/index.ts';
import { revealedDeep } from '../../schemas/hidden-text.ts';
import { type Json, objects, text, texts } from '../../schemas/loose.ts';
import { cautionFor, suspectFlags, textsIn } from '../../schemas/suspect-text.ts';
import type { Instance } from '../instances/api.ts';
import { runBuiltin } from './backend-tools.ts';
import type { Parts } from './parts.ts';
import { checkDiscovery } from './skill-target.ts';

const defaultSkills = 25;
const mostSkills = 50;
const atOnce = 16;

interface Found {
  instance: Instance;
  skills: Json[];
  outcome: Json;
}

export function createSkillSearch({ instances, backends, policy }: Parts) {
  const ask = async (instance: Instance, body: Json, limit: number): Promise<Found> => {
    const query = text(body.query);
    const tags = texts(body.tags);
    const [name, args] =
      query === undefined
        ? ['list_skills', { limit }]
        : ['search_skills', { query, limit, ...(tags.length > 0 && { tags }) }];
    try {
      checkDiscovery(instance);
      const answer = await runBuiltin(backends.get(instance.instance_id), name, args, { idempotent: true });
      const skills = objects(answer.skills).map(shownSkill);
      const total = typeof answer.total === 'number' ? answer.total : skills.length;
      return { instance, skills, outcome: { total } };
    } catch (error) {
      return { instance, skills: [], outcome: { error: messageOf(error) } };
    }
  };

  const asked = (body: Json): readonly Instance[] => {
    const id = text(body.instance_id);
    if (id !== undefined) return [instances.resolve(id)];
    const hosts = [text(body.dcc_type), text(body.dcc), ...texts(body.dcc_types)].flatMap(
      each => each?.toLowerCase() ?? [],
    );
    return instances.live().filter(each => hosts.length === 0 || hosts.includes(each.dcc_type.toLowerCase()));
  };

  return async (body: Json): Promise<Json> => {
    const limit =
      typeof body.limit === 'number' && body.limit >= 1 ? Math.min(Math.floor(body.limit), mostSkills) : defaultSkills;
    const chosen = asked(body);
    const found: Found[] = [];
    for (let start = 0; start < chosen.length; start += atOnce) {
      found.push(...(await Promise.all(chosen.slice(start, start + atOnce).map(each => ask(each, body, limit)))));
    }
    const skills = interleaved(found)
      .filter(({ skill, instance }) => policy.allowsSkill(instance.dcc_type, String(skill.name)))
      .slice(0, limit)
      .map(
        (
          { skill, instance: { instance_id: _instance_id, instance_short: _instance_short, dcc_type: _dcc_type } },
          at,
        ) => ({
          ...{ ...skill, _instance_id, _instance_short, _dcc_type, rank: at + 1 },
        }),
      );
    return {
      skills,
      ...cautionFor(skills as { flags?: unknown }[]),
      total: skills.length,
      instances: found.map(({ instance: { instance_id, instance_short, dcc_type }, skills, outcome }) => ({
        ...{ instance_id, instance_short, dcc_type, skill_count: skills.length, ...outcome },
      })),
    };
  };
}

/** A server may be of another hand: what it says of skills is read as that of tools is. */
function shownSkill(given: Json): Json {
  const skill = revealedDeep(given);
  const flags = [...new Set([...texts(skill.flags), ...suspectFlags(textsIn({ ...given, flags: undefined }))])];
  return flags.length > 0 ? { ...skill, flags } : skill;
}

/** The best of each instance, then the second of each, and so on: scores of different instances cannot be compared. */
function interleaved(found: readonly Found[]): { skill: Json; instance: Instance }[] {
  const longest = Math.max(0, ...found.map(each => each.skills.length));
  return Array.from({ length: longest }).flatMap((_, index) =>
    found.flatMap(({ instance, skills }) => {
      const skill = skills[index];
      return skill ? [{ skill, instance }] : [];
    }),
  );
}
