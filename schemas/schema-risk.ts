/**
 * Whether checking any value against a schema is sure to be quick: then it is done on the server's thread. A schema of
 * somebody else may hold a pattern that backtracks, or references that multiply, and a value of thirty bytes then takes
 * minutes. The answer errs on the side of "not sure". Pure.
 */

/** Schemas that may be applied in all, references followed; a larger one is not sure to be quick. */
const mostSteps = 1000;
/** Ways that a pattern of bounded repetitions may go. */
const mostWays = 10_000;

const inPlaceLists = ['allOf', 'anyOf', 'oneOf'];
const inPlaceOnes = ['not', 'if', 'then', 'else'];
/** Keywords of which one at most applies to a given child. */
const childMaps = ['properties'];
const childOnes = ['additionalProperties', 'items', 'additionalItems'];
const scalars = ['string', 'number', 'integer', 'boolean', 'null'];

type Node = Readonly<Record<string, unknown>>;

/** What lies below a schema: how many schemas are applied, and whether it leads back to one that it stands in. */
interface Below {
  steps: number;
  recursive: boolean;
}

class NotSure extends Error {}

export function isSurelyQuick(schema: Node): boolean {
  try {
    createWalk(schema)(schema);
    return true;
  } catch (error) {
    if (error instanceof NotSure) return false;
    throw error;
  }
}

function createWalk(root: Node) {
  /** The schemas that the walk stands in; a second visit of one is a recursion. */
  const open = new Set<Node>();
  let steps = 0;

  const all = (nodes: readonly unknown[]): Below[] => nodes.map(visit);

  const inPlaceOf = (node: Node): Below[] => [
    ...all(inPlaceLists.flatMap(key => listOf(node[key]))),
    ...all(inPlaceOnes.map(key => node[key])),
    ...all(Object.values(mapOf(node.dependentSchemas))),
    ...all(Object.values(mapOf(node.dependencies)).filter(each => !Array.isArray(each))),
    ...(node.$ref === undefined ? [] : [visit(resolve(root, node.$ref))]),
  ];

  /** By what applies to one child: alternatives of a position are one group, what applies beside them another. */
  const childrenOf = (node: Node): Below[][] => [
    [
      ...all(childMaps.flatMap(key => Object.values(mapOf(node[key])))),
      ...all(listOf(node.prefixItems)),
      ...all(Array.isArray(node.items) ? node.items : []),
      ...all(childOnes.map(key => node[key]).filter(each => !Array.isArray(each))),
    ],
    ...Object.values(mapOf(node.patternProperties)).map(each => all([each])),
    all([node.contains]),
    all([node.propertyNames]),
    all([node.unevaluatedProperties, node.unevaluatedItems]),
  ];

  function visit(value: unknown): Below {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { steps: 0, recursive: false };
    const node = value as Node;
    if (open.has(node)) return { steps: 1, recursive: true };
    steps += 1;
    if (steps > mostSteps) throw new NotSure('too many steps');
    if (node !== root && node.$id !== undefined) throw new NotSure('$id');
    assertPlain(node);
    open.add(node);
    const inPlace = inPlaceOf(node);
    const children = childrenOf(node);
    open.delete(node);
    // Two ways back to the same schema for one value double the work with every level of the value.
    const back = [...inPlace.map(each => each.recursive), ...children.map(group => group.some(each => each.recursive))];
    if (back.filter(Boolean).length > 1) throw new NotSure('it branches where it recurs');
    return { steps, recursive: back.some(Boolean) };
  }

  return visit;
}

/** Throws for what makes a check of this schema alone slow, or what the walk cannot follow. */
function assertPlain(node: Node): void {
  for (const key of ['$dynamicRef', '$recursiveRef', '$dynamicAnchor', '$anchor', '$recursiveAnchor']) {
    if (node[key] !== undefined) throw new NotSure(key);
  }
  if (typeof node.pattern === 'string' && !isQuickPattern(node.pattern)) throw new NotSure('pattern');
  if (Object.keys(mapOf(node.patternProperties)).some(each => !isQuickPattern(each))) throw new NotSure('pattern');
  // Every item is compared with every other one, unless they are known to be plain.
  if (node.uniqueItems === true && !scalars.includes(String(mapOf(node.items).type))) throw new NotSure('uniqueItems');
}

function resolve(root: Node, ref: unknown): unknown {
  if (typeof ref !== 'string' || !/^#(?:$|\/)/.test(ref)) throw new NotSure('a reference to elsewhere');
  let found: unknown = root;
  for (const part of ref.slice(2).split('/').filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    found = typeof found === 'object' && found !== null ? (found as Node)[key] : undefined;
  }
  return found;
}

/** Whether a pattern takes time in proportion to the text, however the text is made. */
export function isQuickPattern(pattern: string): boolean {
  // Escapes and classes match one character: as far as repetition goes they are a letter.
  if (/\\[1-9k]/.test(pattern)) return false;
  const plain = pattern.replace(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|.)/gsu, 'x').replace(/\[[^\]]*\]/g, 'x');
  const repeats = [...plain.matchAll(/([*+?]|\{\d+(?:,\d*)?\})\??/g)].map(([, each = '']) => each);
  const endless = plain.replace(/\(\?/g, '(').match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  // A repeated group may be gone through in many ways.
  if (endless > 0 && /\)(?:[*+?]|\{)/.test(plain)) return false;
  const ways = repeats.reduce((product, each) => product * mostOf(each), 1);
  if (ways > mostWays || /\)\{/.test(plain)) return false;
  // From every place of the text anew, unless it begins at the beginning; one repetition then goes one way.
  return endless === 0 || (endless === 1 && plain.startsWith('^') && !plain.includes('|'));
}

/** How many ways a bounded repetition may go; an endless one counts by itself. */
function mostOf(repeat: string): number {
  if (repeat === '?') return 2;
  const [, most] = /^\{(?:\d+,)?(\d+)\}$/.exec(repeat) ?? [];
  return most === undefined ? 1 : Number(most) + 1;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const mapOf = (value: unknown): Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};
