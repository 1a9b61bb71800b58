/** `skill://<name>/<path>`: a file of a skill or a folder in it; `skill://<name>` is the skill's own folder. */

export interface SkillPath {
  name: string;
  /** `/` between its parts, empty for the skill's own folder. */
  path: string;
}

const shape = /^skill:\/\/([^/?#]+)((?:\/[^/?#]+)*)$/;

export const skillUri = (name: string, path: string): string =>
  ['skill:/', name, ...path.split('/').filter(Boolean).map(encodeURIComponent)].join('/');

/** Where a URI leads; undefined for one that is none of ours. Whether something is there is not asked. */
export function skillPathOf(uri: unknown): SkillPath | undefined {
  const [, name, rest = ''] = (typeof uri === 'string' && shape.exec(uri)) || [];
  if (name === undefined) return undefined;
  try {
    const parts = rest.split('/').slice(1).map(decodeURIComponent);
    return parts.some(part => part.includes('/')) ? undefined : { name, path: parts.join('/') };
  } catch {
    return undefined;
  }
}
