/** Splits SKILL.md into its YAML frontmatter and the guidance below it. */
import { Rejection } from './rejection.ts';
import { parseYaml, type YamlOptions } from './yaml-text.ts';

export interface FrontmatterText {
  yaml: string;
  body: string;
}

const maxFrontmatter = 64 * 1024;
const fence = '---';
const at = { file: 'SKILL.md', line: 1 };

/** The text between the two `---`, whose lines are those of the file, and the rest; throws a Rejection when there are none. */
export function splitFrontmatter(text: string): FrontmatterText {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (!source.startsWith(fence)) {
    throw new Rejection('missing_frontmatter', 'SKILL.md does not begin with a "---" line', at);
  }
  // What follows a fence on its line is a comment at most, or no YAML.
  const rest = source.slice(fence.length);
  const closing = /^---.*(?:\r?\n|$)/m.exec(rest);
  if (!closing) {
    throw new Rejection('missing_frontmatter', 'the frontmatter of SKILL.md is not closed by a "---" line', at);
  }
  return { yaml: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length).trim() };
}

/** The frontmatter as a mapping, and the body; options as of `parseYaml`. */
export async function parseFrontmatter(
  text: string,
  options: YamlOptions = {},
): Promise<{ data: Record<string, unknown>; body: string }> {
  const { yaml, body } = splitFrontmatter(text);
  if (yaml.length > maxFrontmatter) {
    throw new Rejection('invalid_frontmatter_yaml', `SKILL.md: the frontmatter is larger than ${maxFrontmatter} bytes`);
  }
  const data = await parseYaml(yaml, 'invalid_frontmatter_yaml', 'SKILL.md', options);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new Rejection('invalid_frontmatter_shape', 'the frontmatter of SKILL.md is not a mapping of keys', at);
  }
  return { data: data as Record<string, unknown>, body };
}
