/** `metadata/depends.md`: prose in which each line that is a skill's name, as a list item or alone, is a dependency. */

/** As the Agent Skills format has names: anything else in the file is prose. */
const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const longest = 64;

/** The names that `text` holds; `prose` when it says something and names nobody. */
export function namesIn(text: string): { names: string[]; prose: boolean } {
  const lines = text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
  const items = lines.map(line => line.replace(/^[-*]\s+/, '').trim());
  const names = items.filter(each => each.length <= longest && slug.test(each));
  return { names: [...new Set(names)], prose: lines.length > 0 && names.length === 0 };
}
