/** The order in which skills must be loaded: dependencies first (shape:dependencies). */
import { skillErrors } from '../errors.ts';

/** Names a skill depends on, or undefined when there is no such skill. */
export type DependsOn = (name: string) => readonly string[] | undefined;

/** `name` and all it needs, dependencies first; throws for a missing skill and for a cycle, naming it. */
export function loadOrder(name: string, dependsOn: DependsOn): string[] {
  const order: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const missing = new Set<string>();

  const visit = (each: string): void => {
    if (done.has(each)) return;
    const at = path.indexOf(each);
    if (at >= 0) {
      const cycle = [...path.slice(at), each].join(' -> ');
      throw skillErrors.DEPENDENCY_CYCLE({ skill: name, cycle });
    }
    const depends = dependsOn(each);
    if (!depends) {
      missing.add(each);
      return;
    }
    path.push(each);
    for (const dependency of depends) visit(dependency);
    path.pop();
    done.add(each);
    order.push(each);
  };

  visit(name);
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
