/** Skills of every live instance, as each instance lists them: which are loaded, and which packages were refused, and why. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, objectOf, objects } from '../../schemas/loose.ts';
import { redacted } from '../../schemas/redaction.ts';
import type { Backend, BackendsService } from '../gateway/backends/api.ts';
import { askBuiltin, askMs } from './builtins.ts';
import { adminErrors } from './errors.ts';

/** Skills of one page of an instance, and how many pages are read at most. */
const pageRows = 50;
const mostPages = 20;

export function createSkills(backends: Pick<BackendsService, 'list' | 'get'>) {
  /** All pages. */
  const listed = async (backend: Backend): Promise<{ skills: Json[]; skipped: Json[] }> => {
    const skills: Json[] = [];
    let skipped: Json[] = [];
    for (let page = 0; page < mostPages; page += 1) {
      const answer = await askBuiltin(backend, 'list_skills', {
        ...{ include_skipped: true, limit: pageRows, offset: page * pageRows },
        fields: ['name', 'dcc', 'summary', 'tool_count', 'status', 'loaded', 'version', 'scope', 'warnings', 'error'],
      });
      skills.push(...objects(answer.skills));
      skipped = objects(answer.skipped);
      if (answer.truncated !== true) break;
    }
    return { skills, skipped };
  };

  return {
    async list(): Promise<Json> {
      const unread: Json[] = [];
      const found = await Promise.all(
        backends.list().map(async backend => {
          const { instance_id, instance_short, dcc_type } = backend.instance;
          const at = { instance_id, instance_short, dcc_type };
          const late = sleep(askMs, undefined, { ref: false }).then(() => {
            throw new Error(`it did not answer within ${askMs / 1000} s`);
          });
          try {
            const { skills, skipped } = await Promise.race([listed(backend), late]);
            return {
              skills: skills.map(each => ({ ...each, ...at, for_dcc: each.dcc })),
              skipped: skipped.map(each => ({ ...each, ...at })),
            };
          } catch (error) {
            unread.push({ ...at, reason: (error as Error).message });
            return { skills: [], skipped: [] };
          }
        }),
      );
      const skills = found.flatMap(each => each.skills);
      const loaded = skills.filter(each => objectOf(each).loaded === true).length;
      const skipped = found.flatMap(each => each.skipped);
      return redacted({ total: skills.length, loaded, skills, skipped, unread }) as Json;
    },

    async detail(name: unknown, instance_id: unknown): Promise<Json> {
      if (typeof name !== 'string' || typeof instance_id !== 'string') {
        throw adminErrors.INPUT({ reason: '"name" and "instance_id" say which skill is meant' });
      }
      return redacted(await askBuiltin(backends.get(instance_id), 'get_skill_info', { skill_name: name })) as Json;
    },
  };
}
