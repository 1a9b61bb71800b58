/** Where in the files of a package something stands: for who tells an author what is wrong, and with which line. */
import type { Document, LineCounter, Node, Pair } from 'yaml';
import { namespaces, snakeKey } from './manifest-keys.ts';

/** A step into YAML: a key in whatever spelling, a position in a list, or the entry of that name. */
export type Step = string | number | { readonly name: string };

/** What a finding is about. */
export interface Place {
  /** Relative to the package. */
  file?: string | undefined;
  /** The way to it in a YAML file; as far as it leads counts. */
  steps?: readonly Step[] | undefined;
  line?: number | undefined;
}

export interface YamlSource {
  document: Document;
  counter: LineCounter;
}

export type SourceLines = ReturnType<typeof createSourceLines>;

/** Remembers the YAML that a reading of a package has parsed. */
export function createSourceLines() {
  const sources = new Map<string, YamlSource>();
  /** Where lists of declarations stand. */
  const lists = new Map<string, Place>();

  const place = ({ file, steps = [], line }: Place): { file?: string; line?: number } => {
    if (file === undefined) return {};
    const source = sources.get(file);
    const found = line ?? (source && lineOf(source, steps));
    return { file, ...(found !== undefined && { line: found }) };
  };

  return {
    sources: sources as ReadonlyMap<string, YamlSource>,
    add: (file: string, source: YamlSource): void => void sources.set(file, source),
    /** Says where the `kind` of declarations stands. */
    declare: (kind: 'tools' | 'groups', at: Place): void => void lists.set(kind, at),
    list: (kind: 'tools' | 'groups'): Place | undefined => lists.get(kind),
    /** File and line, as far as they are known. */
    place,
  };
}

function lineOf({ document, counter }: YamlSource, steps: readonly Step[]): number {
  let at: unknown = document.contents;
  let found: Node | null = document.contents;
  for (const step of steps) {
    const next = stepInto(resolved(at, document), step, document);
    if (!next) continue;
    at = next.value;
    found = next.shown;
  }
  return counter.linePos(found?.range?.[0] ?? 0).line;
}

/** What an alias stands for; anything else as it is. */
export function resolved(node: unknown, document: Document): unknown {
  const { source, resolve } = (node ?? {}) as { source?: unknown; resolve?: (document: Document) => unknown };
  return typeof source === 'string' && resolve ? resolve.call(node, document) : node;
}

export const pairsOf = (node: unknown): readonly Pair<Node, Node | null>[] => {
  const items = (node as { items?: readonly unknown[] } | null)?.items ?? [];
  return items.filter((each): each is Pair<Node, Node | null> => Object.hasOwn(Object(each), 'key'));
};

export const itemsOf = (node: unknown): readonly unknown[] => {
  const items = (node as { items?: readonly unknown[] } | null)?.items ?? [];
  return pairsOf(node).length > 0 ? [] : items;
};

export const textOf = (node: unknown): string => String((node as { value?: unknown } | null)?.value ?? '');

function stepInto(node: unknown, step: Step, document: Document): { value: unknown; shown: Node } | undefined {
  if (typeof step === 'string') {
    const pair = pairsOf(node).find(each => isMeant(textOf(each.key), step));
    return pair && { value: pair.value, shown: pair.key };
  }
  const items = itemsOf(node);
  const named = (each: unknown, name: string): boolean =>
    pairsOf(resolved(each, document)).some(pair => textOf(pair.key) === 'name' && textOf(pair.value) === name) ||
    textOf(each) === name;
  const item = typeof step === 'number' ? items[step] : items.find(each => named(each, step.name));
  return item === undefined ? undefined : { value: item, shown: item as Node };
}

/** Keys have several spellings, and ours stand under one of several names, nested or flat. */
const isMeant = (key: string, step: string): boolean =>
  snakeKey(key) === snakeKey(step) ||
  (step === 'svc' && namespaces.includes(key)) ||
  namespaces.some(each => key.startsWith(`${each}.`) && snakeKey(key.slice(each.length + 1)) === snakeKey(step));
