/** `{{steps.<id>.<path>}}` in the arguments of a step: what an earlier step returned. Pure. */
import { workflowErrors } from './errors.ts';

const pattern = /\{\{\s*steps\.([A-Za-z0-9_-]+)((?:\.[A-Za-z0-9_$-]+)*)\s*\}\}/g;

/** Ids of the steps that `value` refers to. */
export function referencedSteps(value: unknown): string[] {
  const found: string[] = [];
  mapStrings(value, text => {
    for (const [, id = ''] of text.matchAll(pattern)) found.push(id);
    return text;
  });
  return found;
}

/**
 * A copy of the arguments with every reference replaced. A text that is one reference and nothing else becomes the value
 * itself; within a longer text anything but a text is written as JSON. Throws SVC_WORKFLOWS_NO_VALUE.
 */
export function resolveReferences(
  step: string,
  args: Record<string, unknown>,
  results: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const referenced = (reference: string, id: string, path: string): unknown => {
    let value = results.get(id);
    for (const key of path.split('.').slice(1)) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
        throw workflowErrors.NO_VALUE({
          step,
          reference,
          reason: `has no "${key}": look at what step "${id}" returned`,
        });
      }
      value = (value as Record<string, unknown>)[key];
    }
    return value;
  };
  return mapStrings(args, text => {
    const [whole] = text.matchAll(pattern);
    if (whole?.[0] === text) return referenced(text, whole[1] ?? '', whole[2] ?? '');
    return text.replaceAll(pattern, (reference, id: string, path: string) => {
      const value = referenced(reference, id, path);
      return typeof value === 'string' ? value : JSON.stringify(value);
    });
  }) as Record<string, unknown>;
}

function mapStrings(value: unknown, map: (text: string) => unknown): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map(each => mapStrings(each, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapStrings(each, map)]));
}
