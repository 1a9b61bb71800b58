/** Tool groups: keyed by owner and name, active or not; a reload of an owner keeps what was active. */
import type { ToolGroup } from './api.ts';
import { toolErrors } from './errors.ts';

export interface GroupState extends ToolGroup {
  readonly owner: string;
  readonly skill: string | undefined;
  active: boolean;
}

export type Groups = ReturnType<typeof createGroups>;

export function createGroups() {
  const owners = new Map<string, Map<string, GroupState>>();
  const list = (): GroupState[] => [...owners.values()].flatMap(each => [...each.values()]);

  return {
    /** The groups that `owner` would have with these declarations, undeclared names of its tools included. */
    plan(
      owner: string,
      skill: string | undefined,
      declared: readonly ToolGroup[],
      used: Iterable<string>,
    ): Map<string, GroupState> {
      const before = owners.get(owner);
      const planned = new Map<string, GroupState>();
      const put = ({ name, description, default_active }: ToolGroup): void => {
        // `__group__` and the name together must fit the 64 characters of a published name.
        if (!/^[A-Za-z0-9_-]{1,55}$/.test(name)) {
          throw toolErrors.GROUP_INVALID({ group: name, reason: 'use 1 to 55 letters, digits, "_" and "-"' });
        }
        const active = before?.get(name)?.active ?? default_active;
        planned.set(name, { owner, skill, name, description, default_active, active });
      };
      for (const group of declared) {
        if (planned.has(group.name)) throw toolErrors.GROUP_INVALID({ group: group.name, reason: 'declared twice' });
        put(group);
      }
      for (const name of used) {
        if (name !== '' && !planned.has(name)) put({ name, description: '', default_active: false });
      }
      return planned;
    },
    /** Replaces the groups of `owner`; undefined forgets them. */
    commit(owner: string, planned: Map<string, GroupState> | undefined): void {
      if (planned && planned.size > 0) owners.set(owner, planned);
      else owners.delete(owner);
    },
    list,
    /** Switches every group of that name, or that of one skill; throws SVC_TOOLS_GROUP_UNKNOWN. True when one changed. */
    setActive(group: string, skill: string | undefined, active: boolean): boolean {
      const found = list().filter(each => each.name === group && (skill === undefined || each.skill === skill));
      if (found.length === 0) {
        const names = [...new Set(list().map(each => each.name))].sort();
        throw toolErrors.GROUP_UNKNOWN({
          group: group.slice(0, 80),
          where: skill === undefined ? '' : ` in the skill "${skill.slice(0, 80)}"`,
          known:
            names.length === 0
              ? 'No loaded tool has a group: load a skill first'
              : `Known groups: ${names.slice(0, 50).join(', ')}`,
        });
      }
      const changed = found.filter(each => each.active !== active);
      for (const each of changed) each.active = active;
      return changed.length > 0;
    },
    /** Names with at least one active group, sorted. */
    activeNames: (): string[] =>
      [
        ...new Set(
          list()
            .filter(each => each.active)
            .map(each => each.name),
        ),
      ].sort(),
  };
}
