/** What was found wrong with rows, the newest of it. */
import type { RegistryProblem } from './registry/api.ts';

const kept = 1000;

export function createProblems() {
  const found: RegistryProblem[] = [];
  return {
    list: (): readonly RegistryProblem[] => found,
    add(problems: readonly RegistryProblem[]): void {
      found.push(...problems);
      if (found.length > kept) found.splice(0, found.length - kept);
    },
  };
}
