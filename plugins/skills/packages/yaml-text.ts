/** YAML from disk, read safely: bounded size, bounded aliases, no duplicate keys, versions as written. */
import { messageOf } from '../../../schemas/thrown.ts';
import { type ReasonCode, Rejection } from './rejection.ts';
import type { Place, SourceLines } from './source-lines.ts';

/** What a text may come to with its aliases as what they stand for: values, and characters of texts. */
const maxExpanded = 2 * 1024 * 1024;
const maxDepth = 64;

export interface YamlOptions {
  /** Keeps to YAML where the manifest does not: a version that is a number there stays one. */
  verbatim?: boolean | undefined;
  /** Remembers what was parsed, as that of the file `path`. */
  lines?: SourceLines | undefined;
  path?: string;
  /** Takes what is told of a key that stands twice in one mapping, the last of which counts; else that is refused. */
  onTwice?: (message: string, place: Place) => void;
}

/** Parses `text` into plain data; rejects with a Rejection with `reason` that tells line and column, never a path. */
export async function parseYaml(
  text: string,
  reason: ReasonCode,
  file: string,
  { verbatim = false, lines, path = file, onTwice }: YamlOptions = {},
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
    const document = parseDocument(text, {
      ...{ uniqueKeys: false, merge: true, logLevel: 'silent', lineCounter: counter },
    });
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
          if (seen.has(name)) {
            const message = `key "${String(name)}" stands twice in one mapping`;
            const place = { line: lineOf(key) };
            if (!onTwice) throw refuse(message, place);
            onTwice(`${file}: ${message}: the last one counts`, place);
          }
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
    // The library shares what aliases stand for, and bounds how often one is named: a schema is named often.
    const data = document.toJS({ maxAliasCount: -1 }) as unknown;
    // The last one is where that shows.
    if (lastAlias && isTooLarge(data)) throw refuse('its aliases stand for too much', { line: lineOf(lastAlias) });
    return data;
  } catch (error) {
    if (error instanceof Rejection) throw error;
    throw refuse(firstLine(messageOf(error)));
  }
}

const firstLine = (message: string): string => (message.split('\n', 1)[0] ?? '').replace(/:$/, '');

function isTooLarge(data: unknown): boolean {
  const open = [data];
  let size = 1;
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each === 'string') size += each.length;
    for (const child of Object.values(Object(each) === each ? (each as object) : {})) {
      size += 1;
      open.push(child);
    }
    if (size > maxExpanded) return true;
  }
  return false;
}

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
