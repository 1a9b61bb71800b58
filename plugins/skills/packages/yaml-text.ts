/** YAML from disk, read safely: bounded size, bounded aliases, no duplicate keys, versions as written. */
import { type ReasonCode, Rejection } from './rejection.ts';
import type { Place, SourceLines } from './source-lines.ts';

const maxAliases = 1000;
const maxDepth = 64;

export interface YamlOptions {
  /** Keeps to YAML where the manifest does not: a version that is a number there stays one. */
  verbatim?: boolean | undefined;
  /** Remembers what was parsed, as that of the file `path`. */
  lines?: SourceLines | undefined;
  path?: string;
}

/** Parses `text` into plain data; rejects with a Rejection with `reason` that tells line and column, never a path. */
export async function parseYaml(
  text: string,
  reason: ReasonCode,
  file: string,
  { verbatim = false, lines, path = file }: YamlOptions = {},
): Promise<unknown> {
  // Loaded when first needed: a start that knows its packages parses nothing.
  const { default: yaml } = await import('yaml');
  const { isMap, isScalar, Lexer, LineCounter, parseDocument, visit } = yaml;
  const counter = new LineCounter();
  const refuse = (message: string, place: Place = {}): Rejection =>
    new Rejection(
      reason,
      `${file}: ${message}${place.line && !/ line \d/.test(message) ? ` (line ${place.line})` : ''}`,
      { file: path, ...place },
    );
  const lineOf = (node: unknown): number | undefined => {
    const start = (node as { range?: readonly number[] } | null)?.range?.[0];
    return start === undefined ? undefined : counter.linePos(start).line;
  };
  let lastAlias: unknown;
  try {
    if (mayBeTooDeep(text) && isTooDeep(new Lexer().lex(text))) throw refuse(`nests deeper than ${maxDepth} levels`);
    // The library compares each key with every other: the walk below does it with a set.
    const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent', lineCounter: counter });
    lines?.add(path, { document, counter });
    const [error] = document.errors;
    if (error) throw refuse(firstLine(error.message), { line: error.linePos?.[0].line });
    const anchored = new Map<string, unknown>();
    visit(document, {
      Value(_, value) {
        if (value.anchor) anchored.set(value.anchor, value);
      },
      Map(_, map) {
        if (map.anchor) anchored.set(map.anchor, map);
        const seen = new Set<unknown>();
        for (const { key, value } of map.items) {
          const name = isScalar(key) ? key.value : key;
          if (seen.has(name)) throw refuse(`key "${String(name)}" stands twice in one mapping`, { line: lineOf(key) });
          seen.add(name);
          // `version: 1.10` is a number to YAML, and 1.1 to JavaScript.
          const isNumber = isScalar(value) && typeof value.value === 'number';
          if (name === 'version' && isNumber && !verbatim) value.value = value.source;
        }
      },
      Alias(_, alias, path) {
        lastAlias = alias;
        const inItself = path.includes(anchored.get(alias.source) as never);
        if (inItself) throw refuse(`*${alias.source} stands in what it refers to`, { line: lineOf(alias) });
      },
      Pair(_, pair) {
        if (isMap(pair.key)) throw refuse('a mapping stands where a key belongs', { line: lineOf(pair.key) });
      },
    });
    return document.toJS({ maxAliasCount: maxAliases }) as unknown;
  } catch (error) {
    if (error instanceof Rejection) throw error;
    // What its aliases become is too much: the last one is where that shows.
    throw refuse(firstLine(error instanceof Error ? error.message : String(error)), { line: lineOf(lastAlias) });
  }
}

const firstLine = (message: string): string => (message.split('\n', 1)[0] ?? '').replace(/:$/, '');

/** Brackets and dashes, wherever they stand: a cheap bound before the recursive parser runs. */
function mayBeTooDeep(text: string): boolean {
  let open = 0;
  for (const each of text) {
    if (each === '[' || each === '{') open += 1;
    else if (each === ']' || each === '}') open -= 1;
    else if (each === '\n' && open < 0) open = 0;
    if (open > maxDepth) return true;
  }
  return /^(?:[-?] ?){65}/m.test(text.replaceAll(/^[ \t]+/gm, ''));
}

/** The same of those that are YAML's own, and no part of a text. */
function isTooDeep(tokens: Iterable<string>): boolean {
  let open = 0;
  let steps = 0;
  for (const token of tokens) {
    if (token === '[' || token === '{') open += 1;
    else if (token === ']' || token === '}') open -= 1;
    else if (token === '-' || token === '?') steps += 1;
    else if (token !== ' ') steps = 0;
    if (open + steps > maxDepth) return true;
  }
  return false;
}
