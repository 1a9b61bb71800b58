/** From the name of a built-in to one of an instance: by its slug, or bare, by the job or the skill that it is about. */
import { type Json, text } from '../../schemas/loose.ts';
import { parseSlug, slugHost, slugOf } from '../../schemas/slug.ts';
import type { Instance } from '../instances/api.ts';
import { type Builtin, builtins, skillsOf } from './builtins.ts';
import { gatewayErrors } from './errors.ts';
import type { CapabilityRecord } from './index/api.ts';
import type { Parts } from './parts.ts';
import type { SkillTargets } from './skill-target.ts';

export type BuiltinTargets = ReturnType<typeof createBuiltinTargets>;

export function createBuiltinTargets({ instances, backends, delivery }: Parts, skillTargets: SkillTargets) {
  const targetOf = (builtin: Builtin, { instance_id }: Instance, tool_slug?: string) => {
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
    const candidates = live.slice(0, 10).map(each => slugFor(each, name));
    throw gatewayErrors.SEVERAL_HAVE({ tool: name, count: live.length, shown: candidates.join(', '), candidates });
  };

  return {
    /** By its slug; nothing for what is no built-in. */
    bySlug(slug: string) {
      const { host, id, tool } = parseSlug(slug) ?? {};
      const builtin = builtins.get(tool ?? '');
      if (id === undefined || !builtin) return undefined;
      const instance = instances.find(id);
      return slugHost(instance.dcc_type).toLowerCase() === host?.toLowerCase()
        ? targetOf(builtin, instance)
        : undefined;
    },

    /** By its bare name; nothing for what is none. Rejects when no one instance is meant. */
    async byName(name: string, args: Json) {
      const builtin = builtins.get(name);
      if (!builtin) return undefined;
      const job = builtin.about === 'job' ? text(args.job_id) : undefined;
      return targetOf(builtin, job === undefined ? chosen(builtin, args) : await delivery.ownerOf(job));
    },

    /** The same for a description: that of any instance fits, and the bare name stays what it is called by. */
    anyOf(name: string) {
      const builtin = builtins.get(name);
      if (!builtin) return undefined;
      // Servers of other makers, which have no such tools, register over HTTP.
      const live = instances.live();
      return targetOf(builtin, live.find(each => each.source === 'file') ?? live[0] ?? instances.choose({}), name);
    },
  };
}

const slugFor = ({ dcc_type, instance_short }: Pick<Instance, 'dcc_type' | 'instance_short'>, name: string): string =>
  slugOf(dcc_type, instance_short, name);

/** The record of a built-in; a skill tool takes nothing away that is not there again when it is loaded. */
export function recordOf(
  { name, about, reads }: Builtin,
  instance: Pick<Instance, 'instance_id' | 'instance_short' | 'dcc_type'>,
  tool_slug = slugFor(instance, name),
): CapabilityRecord {
  const { instance_id, dcc_type } = instance;
  return {
    ...{ tool_slug, backend_tool: name, callable_id: name, skill_name: null, summary: '', description: '' },
    ...{ tags: [], aliases: [], dcc_type, instance_id, has_schema: true, loaded: true, group_active: true },
    annotations: { readOnlyHint: reads, destructiveHint: !reads && (about === 'job' || about === 'jobs') },
  };
}
