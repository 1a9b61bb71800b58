/** Members in groups, each in one at a time: who else is in a group is known without going through all of them. */

export type Groups = ReturnType<typeof createGroups>;

const none: ReadonlySet<string> = new Set();

/** `onFirst` is told of a group that has its first member, `onLast` of one that has lost its last. */
export function createGroups(
  onFirst: (group: string) => void = () => undefined,
  onLast: (group: string) => void = () => undefined,
) {
  const groupOf = new Map<string, string>();
  const members = new Map<string, Set<string>>();

  const leave = (member: string, group: string): void => {
    const left = members.get(group);
    groupOf.delete(member);
    left?.delete(member);
    if (left?.size !== 0) return;
    members.delete(group);
    onLast(group);
  };

  return {
    /** Puts a member into a group, or into none, out of the one where it was. */
    put(member: string, group: string | undefined): void {
      const before = groupOf.get(member);
      if (before === group) return;
      if (before !== undefined) leave(member, before);
      if (group === undefined) return;
      groupOf.set(member, group);
      const known = members.get(group);
      if (known) known.add(member);
      else {
        members.set(group, new Set([member]));
        onFirst(group);
      }
    },
    of: (group: string): ReadonlySet<string> => members.get(group) ?? none,
  };
}
