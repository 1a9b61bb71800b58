/** Keys that nothing reads, each with the one that was probably meant: a misspelt `destructive` must not be lost in silence. */
import type { Document, Node } from 'yaml';
import { nearest } from '../../../schemas/nearest.ts';
import { namespaces, snakeKey } from '../packages/manifest-keys.ts';
import { type SkillFinding, suggestedFixes } from '../packages/rejection.ts';
import { itemsOf, pairsOf, resolved, type SourceLines, textOf } from '../packages/source-lines.ts';
import { frontmatter, groupsFile, promptsFile, resourcesFile, type Shape, toolsFile } from './known-keys.ts';

export interface UnknownKeys {
  /** With what was meant: the author lost something. */
  errors: SkillFinding[];
  /** Of another program, or of nobody. */
  warnings: SkillFinding[];
}

/** Looks through every file that was read. */
export function unknownKeys(lines: SourceLines): UnknownKeys {
  const found: UnknownKeys = { errors: [], warnings: [] };
  const [tools, groups] = [lines.list('tools')?.file, lines.list('groups')?.file];
  for (const [file, { document, counter }] of lines.sources) {
    const shape =
      file === 'SKILL.md' ? frontmatter : file === tools ? toolsFile : file === groups ? groupsFile : other(document);
    if (!shape) continue;
    walk(document.contents, shape, document, (key, known) => {
      const written = textOf(key);
      const meant = nearest(written, known.keys);
      const advice = meant === undefined ? '' : `; did you mean "${spelled(meant, written)}"?`;
      if (meant === undefined && known.open) return;
      (meant === undefined ? found.warnings : found.errors).push({
        reason_code: 'unknown_key',
        message: `"${written.slice(0, 80)}" is not a key of ${known.what}${advice}`,
        suggested_fix: suggestedFixes.unknown_key,
        file,
        line: counter.linePos(key.range?.[0] ?? 0).line,
      });
    });
  }
  return found;
}

/** Prompts and resources are told apart by what they hold: any file may be named as either. */
function other(document: Document): Shape | undefined {
  const root = resolved(document.contents, document);
  const first = pairsOf(root).length > 0 ? root : resolved(itemsOf(root)[0], document);
  const keys = new Set(pairsOf(first).map(each => textOf(each.key)));
  if (['prompts', 'template', 'messages'].some(each => keys.has(each))) return promptsFile;
  return ['resources', 'uri'].some(each => keys.has(each)) ? resourcesFile : undefined;
}

const spelled = (meant: string, written: string): string =>
  written.includes('-') ? meant.replaceAll('_', '-') : meant;

/** Of another tool's making, or YAML's own. */
const passedOver = /^(?:<<|x-.*|\..*)$/;

function walk(node: unknown, shape: Shape, document: Document, report: (key: Node, shape: Shape) => void): void {
  const here = resolved(node, document);
  for (const item of itemsOf(here)) walk(item, listed(shape), document, report);
  for (const { key, value } of pairsOf(here)) {
    const written = textOf(key);
    const name = nameOf(written, shape);
    const inside = shape.every ?? (name === undefined ? undefined : shape.inside?.[name]);
    if (inside) walk(value, inside, document, report);
    else if (shape.what === 'metadata') flat(key, shape, report);
    else if ((name === undefined || !shape.keys.includes(name)) && !passedOver.test(written)) report(key, shape);
  }
}

/** A list alone stands for the one that its file is for. */
const listed = (shape: Shape): Shape => {
  const [only, ...more] = Object.values(shape.inside ?? {});
  return shape.what === 'the file' && only && more.length < 2 ? only : shape;
};

const nameOf = (written: string, { what, keys, inside, open }: Shape): string | undefined => {
  if (what === 'metadata') return namespaces.includes(written) ? 'svc' : undefined;
  const name = open ? written : snakeKey(written);
  return keys.includes(name) || Object.hasOwn(inside ?? {}, name) ? name : undefined;
};

/** `dcc-mcp.tags: a, b` beside the nested form. */
function flat(key: Node, { inside }: Shape, report: (key: Node, shape: Shape) => void): void {
  const written = textOf(key);
  const namespace = namespaces.find(each => written.startsWith(`${each}.`));
  const block = inside?.svc;
  if (namespace === undefined || !block) return;
  if (!block.keys.includes(snakeKey(written.slice(namespace.length + 1)))) report(key, block);
}
