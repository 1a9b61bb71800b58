/** A file in YAML that people write: its value, and the line of whatever is wrong in it. */
import { type Document, isMap, isNode, LineCounter, parseDocument, visit, type YAMLParseError } from 'yaml';

export interface YamlFile {
  readonly value: unknown;
  readonly document: Document;
  /** Line of what stands at a path, or of the nearest thing around it; lines count from 1. */
  lineOf(path: readonly (string | number)[]): number;
}

/** Reads a text; throws an error whose message names the line. Aliases are followed a hundred times at most. */
export function readYaml(text: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const [problem] = document.errors;
  if (problem) throw new Error(`line ${lineAt(problem.pos[0])}: ${saidOf(problem, text)}`, { cause: problem });
  const lineOf = (path: readonly (string | number)[]): number => {
    if (path.length === 0) return lineAt(document.contents?.range?.[0] ?? 0);
    const parent = document.getIn(path.slice(0, -1), true) ?? document.contents;
    const last = path.at(-1);
    const pair = isMap(parent) && parent.items.find(each => isNode(each.key) && String(each.key) === String(last));
    const node = pair ? pair.key : document.getIn(path, true);
    const offset = isNode(node) ? node.range?.[0] : undefined;
    return offset === undefined ? lineOf(path.slice(0, -1)) : lineAt(offset);
  };
  visit(document, {
    Alias(_, node) {
      if (node.resolve(document)) return;
      throw new Error(`line ${lineAt(node.range?.[0] ?? 0)}: *${node.source} is no anchor of what stands before it`);
    },
  });
  return { value: document.toJS({ maxAliasCount: 100 }), document, lineOf };
}

/** Where the library tells a programmer what to call, or names its tokens, people are told what to write. */
function saidOf({ code, message, pos: [at] }: YAMLParseError, text: string): string {
  if (code === 'MULTIPLE_DOCS') return 'it is more than one document';
  if (text.slice(at - 1, at + 1) === '${') return `a text with \${ in it stands in quotes within { } and [ ]`;
  return message;
}

/** The path that a problem of validation names, `webhooks.0.url`. */
export const pathOf = (field: string): (string | number)[] =>
  field === '' ? [] : field.split('.').map(each => (/^\d+$/.test(each) ? Number(each) : each));
