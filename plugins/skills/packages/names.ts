/** Names as clients can have them: what they refuse in one is replaced, and one that is too long is cut and marked. */
import { hash } from 'node:crypto';
import { holdsHidden } from '../../../schemas/hidden-text.ts';
import { Rejection, type Warn } from './rejection.ts';

/** As the Agent Skills format has it, and MCP's clients. */
export const longestName = 64;
/** Of a hash: enough that two long names with one beginning stay two. */
const markLength = 4;
const skillNamePattern = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** The name of a skill with `-` for what clients refuse in a name; throws when nothing is left of it. */
export function skillName(given: string, fallback: string): string {
  refuseHidden(given);
  const [name] = [given, fallback]
    .map(each => (skillNamePattern.test(each) ? each : folded(each)))
    .filter(each => each !== '')
    .map(fitting);
  if (name === undefined) throw new Rejection('invalid_name', `"${given.slice(0, 80)}" cannot name a skill`);
  return name;
}

const folded = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^[-_]+|-+$/g, '');

/** The name of a tool with `_` for what some clients refuse. */
export function toolName(given: string, warn: Warn): string {
  refuseHidden(given);
  const name = fitting(given.trim().replaceAll(/[^A-Za-z0-9_-]/g, '_'));
  if (!/[A-Za-z0-9]/.test(name) || /^__(skill|group)__/.test(name)) {
    throw new Rejection('invalid_name', `"${given.slice(0, 80)}" cannot name a tool`);
  }
  if (name !== given) {
    const reason = given.trim().length > longestName ? 'name_too_long' : 'invalid_name';
    warn(reason, `tool "${given.slice(0, 80)}" is called "${name}" here`);
  }
  return name;
}

/** Two names that look alike would be two things. */
function refuseHidden(name: string): void {
  if (holdsHidden(name))
    throw new Rejection(
      'hidden_characters',
      `"${name.slice(0, 80)}" has characters that nobody sees, and cannot name anything`,
    );
}

const fitting = (name: string): string =>
  name.length > longestName
    ? `${name.slice(0, longestName - markLength - 1)}-${hash('sha256', name).slice(0, markLength)}`
    : name;
