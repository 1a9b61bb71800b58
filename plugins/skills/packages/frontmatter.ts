/** Splits SKILL.md into its YAML frontmatter and the guidance below it. */
import { Rejection } from './rejection.ts';
import { parseYaml } from './yaml-text.ts';

export interface FrontmatterText {
  yaml: string;
  body: string;
}

const maxFrontmatter = 64 * 1024;
const fence = '---';

/** The text between the two `---` lines and the rest; throws a Rejection when there are none. */
export function splitFrontmatter(text: string): FrontmatterText {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (!source.startsWith(fence))
    throw new Rejection('missing_frontmatter', 'SKILL.md does not begin with a "---" line');
  // What follows a fence on its line is a comment at most, or no YAML.
  const rest = source.slice(fence.length);
  const closing = /^---.*(?:\r?\n|$)/m.exec(rest);
  if (!closing) throw new Rejection('missing_frontmatter', 'the frontmatter of SKILL.md is not closed by a "---" line');
  return { yaml: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length).trim() };
}

/** The frontmatter as a mapping, and the body; `verbatim` as in `parseYaml`. */
export async function parseFrontmatter(
  text: string,
  verbatim = false,
): Promise<{ data: Record<string, unknown>; body: string }> {
  const { yaml, body } = splitFrontmatter(text);
  if (yaml.length > maxFrontmatter) {
    throw new Rejection('invalid_frontmatter_yaml', `SKILL.md: the frontmatter is larger than ${maxFrontmatter} bytes`);
  }
  const data = await parseYaml(yaml, 'invalid_frontmatter_yaml', 'SKILL.md', verbatim);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new Rejection('invalid_frontmatter_shape', 'the frontmatter of SKILL.md is not a mapping of keys');
  }
  return { data: data as Record<string, unknown>, body };
}
