/** The order in which skills must be loaded: dependencies first (shape:dependencies). */
import { dependencyOrder } from '../../../schemas/dependency-order.ts';
import { skillErrors } from '../errors.ts';

/** Names a skill depends on, or undefined when there is no such skill. */
export type DependsOn = (name: string) => readonly string[] | undefined;

/** `name` and all it needs, dependencies first; throws for a missing skill and for a cycle, naming it. */
export function loadOrder(name: string, dependsOn: DependsOn): string[] {
  const missing = new Set<string>();
  const needsOf = (each: string): readonly string[] => {
    const needs = dependsOn(each);
    if (!needs) missing.add(each);
    return needs ?? [];
  };
  const order = dependencyOrder([name], needsOf, cycle => skillErrors.DEPENDENCY_CYCLE({ skill: name, cycle }));
  if (missing.size > 0)
    throw skillErrors.MISSING_DEPENDENCIES({ skill: name, missing: [...missing].sort().join(', ') });
  return order;
}

/** What `name` needs, at any depth, and nobody has. */
export function missingDependencies(name: string, dependsOn: DependsOn): string[] {
  const seen = new Set([name]);
  const missing = new Set<string>();
  const waiting = [...(dependsOn(name) ?? [])];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (seen.has(each)) continue;
    seen.add(each);
    const depends = dependsOn(each);
    if (depends) waiting.push(...depends);
    else missing.add(each);
  }
  return [...missing].sort();
}
