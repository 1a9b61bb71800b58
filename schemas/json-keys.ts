/** A key that stands twice in an object of a JSON text: whoever parses it sees one of the two, and not everybody the same. Pure. */

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** The first such key of a valid JSON text; undefined when there is none. */
export function duplicateKey(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [each] of json.matchAll(token)) {
    const keys = open.at(-1);
    if (each === '{') open.push(new Set());
    else if (each === '[') open.push(undefined);
    else if (each === '}' || each === ']') open.pop();
    else if (each === ':' && keys) {
      const key = JSON.parse(last) as string;
      if (keys.has(key)) return key;
      keys.add(key);
    }
    last = each;
  }
  return undefined;
}
