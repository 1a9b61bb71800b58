/** The built-in tools that every instance has: no search shows them, and they are called and described all the same. Pure. */
import { type Json, text, texts } from '../../schemas/loose.ts';

export interface Builtin {
  readonly name: string;
  readonly about: 'job' | 'jobs' | 'skills' | 'tools';
  readonly reads: boolean;
}

const row = (about: Builtin['about'], reads: boolean, names: string): [string, Builtin][] =>
  names.split(' ').map(name => [name, { name, about, reads }]);

export const builtins: ReadonlyMap<string, Builtin> = new Map([
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
