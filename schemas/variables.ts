/** Variables of the environment that begin like ours and are none: a setting that was misspelt is not set at all. Pure. */
import { nearest } from './nearest.ts';

/** The variables of a process, or what stands for them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Read by rooms, and no option. */
const others =
  /^SVC_((\w+_)?SKILL_PATHS|DISABLE_(ACCUMULATED_SKILLS|DEFAULT_SKILL_PATHS)|PYTHON_(EXECUTABLE|INIT_SNIPPET)|HOST_COMMAND|NODE|ALLOW_AMBIENT_PYTHON|STANDALONE_REGISTRY_DCC_TYPE|LOG_DIR|TEST_\w+)$/;

/** A sentence for each of `names` that neither is one of `known` nor known otherwise. */
export function unknownVariables(names: readonly string[], known: readonly string[]): string[] {
  const unknown = names.filter(each => each.startsWith('SVC_') && !known.includes(each) && !others.test(each));
  return unknown.map(each => {
    const meant = nearest(
      each.slice(4),
      known.map(name => name.slice(4)),
    );
    return `the variable ${each} is not known${meant === undefined ? '' : `: did you mean SVC_${meant}?`}`;
  });
}
