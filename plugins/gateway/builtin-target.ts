/**
 * The built-in tools that every instance has: no search shows them, and they are called and described all the same, by
 * their slug or by their bare name. A bare name finds its instance by the job or the skill that it is about.
 */
import { type Json, text, texts } from '../../schemas/loose.ts';
import type { Instance } from '../instances/api.ts';
import { gatewayErrors } from './errors.ts';
import type { CapabilityRecord } from './index/api.ts';
import type { Parts } from './parts.ts';
import type { SkillTargets } from './skill-target.ts';
import type { Target } from './target.ts';

export interface Builtin {
  readonly name: string;
  readonly about: 'job' | 'jobs' | 'skills' | 'tools';
  readonly reads: boolean;
}

const row = (about: Builtin['about'], reads: boolean, names: string): [string, Builtin][] =>
  names.split(' ').map(name => [name, { name, about, reads }]);

const builtins: ReadonlyMap<string, Builtin> = new Map([
  ...row('job', true, 'jobs_get_status'),
  ...row('job', false, 'jobs_cancel'),
  ...row('jobs', true, 'jobs_poll_contract'),
  ...row('jobs', false, 'jobs_cleanup'),
  ...row('skills', true, 'list_skills search_skills get_skill_info'),
  ...row('skills', false, 'load_skill unload_skill activate_tool_group deactivate_tool_group'),
  ...row('tools', true, 'search_tools list_roots'),
]);

/** What is done to a job that has begun, or only read, is not held up by a lease of somebody else. */
export const ignoresLease = ({ about, reads }: Builtin): boolean => reads || about === 'job';

/** The skills that the arguments of a built-in name. */
export const skillsOf = (args: Json): string[] =>
  [...new Set([text(args.skill_name), ...texts(args.skill_names)])].filter(each => each !== undefined);

export type BuiltinTargets = ReturnType<typeof createBuiltinTargets>;

export function createBuiltinTargets({ instances, backends, delivery }: Parts, skillTargets: SkillTargets) {
  const targetOf = (builtin: Builtin, { instance_id }: Instance, tool_slug?: string): Target => {
    // What became of a job can be asked before the host is ready again.
    const instance = builtin.about === 'job' ? instances.find(instance_id) : instances.resolve(instance_id);
    return { builtin, instance, backend: backends.known(instance_id), record: recordOf(builtin, instance, tool_slug) };
  };

  const chosen = ({ name, about }: Builtin, args: Json): Instance => {
    const skills = skillsOf(args);
    if (about === 'skills' && skills.length > 0) return skillTargets.choose({}, skills).instance;
    const live = instances.live();
    const [only] = live;
    if (live.length < 2) return only ?? instances.choose({});
    const candidates = live.slice(0, 10).map(each => slugOf(each, name));
    throw gatewayErrors.SEVERAL_HAVE({ tool: name, count: live.length, shown: candidates.join(', '), candidates });
  };

  return {
    /** By its slug; nothing for what is no built-in. */
    bySlug(slug: string): Target | undefined {
      const { dcc, id, tool } = slugParts(slug) ?? {};
      const builtin = builtins.get(tool ?? '');
      if (id === undefined || !builtin) return undefined;
      const instance = instances.find(id);
      return instance.dcc_type.toLowerCase() === dcc?.toLowerCase() ? targetOf(builtin, instance) : undefined;
    },

    /** By its bare name; nothing for what is none. Rejects when no one instance is meant. */
    async byName(name: string, args: Json): Promise<Target | undefined> {
      const builtin = builtins.get(name);
      if (!builtin) return undefined;
      const job = builtin.about === 'job' ? text(args.job_id) : undefined;
      return targetOf(builtin, job === undefined ? chosen(builtin, args) : await delivery.ownerOf(job));
    },

    /** The same for a description: that of any instance fits, and the bare name stays what it is called by. */
    anyOf(name: string): Target | undefined {
      const builtin = builtins.get(name);
      if (!builtin) return undefined;
      // Servers of other makers, which have no such tools, register over HTTP.
      const live = instances.live();
      return targetOf(builtin, live.find(each => each.source === 'file') ?? live[0] ?? instances.choose({}), name);
    },
  };
}

/** `<dcc>.<id>.<tool>`: the first two dots split, the tool may have more. */
export function slugParts(slug: string): { dcc: string; id: string; tool: string } | undefined {
  const [, dcc, id, tool] = /^([^.]+)\.([0-9a-fA-F-]{4,36})\.(.+)$/s.exec(slug) ?? [];
  return dcc === undefined || id === undefined || tool === undefined ? undefined : { dcc, id, tool };
}

const slugOf = ({ dcc_type, instance_short }: Instance, name: string): string =>
  `${dcc_type}.${instance_short}.${name}`;

function recordOf({ name, reads }: Builtin, instance: Instance, tool_slug = slugOf(instance, name)): CapabilityRecord {
  const { instance_id, dcc_type } = instance;
  return {
    ...{ tool_slug, backend_tool: name, callable_id: name, skill_name: null, summary: '', description: '' },
    ...{ tags: [], aliases: [], dcc_type, instance_id, has_schema: true, loaded: true, group_active: true },
    annotations: { readOnlyHint: reads },
  };
}
