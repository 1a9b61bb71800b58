/** Changes of `webhooks.yaml` that leave everything else in it as it was written, comments included. */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isCollection, isMap, isNode, isSeq, type YAMLMap } from 'yaml';
import { readYaml } from '../../schemas/yaml-document.ts';

/** The entry that the shortcut of the environment stands for. */
export const robotName = 'chatrobot-message-push';

/** Long lines stay in one piece. */
const asWritten = { lineWidth: 0 } as const;

/** The text with `entry` in it: in place of the one of its name, the robot's in place of any chatrobot; else at the end. */
export function withEntry(text: string, entry: Readonly<Record<string, unknown>>): string {
  const { document } = readYaml(text);
  const index = indexOf(text, entry.name);
  if (index === undefined) {
    if (document.contents === null) document.contents = document.createNode({}) as never;
    if (!isSeq(document.getIn(['webhooks']))) change(document, document.contents as never, 'webhooks', []);
    document.addIn(['webhooks'], document.createNode(entry));
    return written(document, text, entry.name);
  }
  const node = document.getIn(['webhooks', index]);
  if (!isMap(node)) throw new Error(`entry ${index} of webhooks is no mapping`);
  for (const { key } of [...node.items]) if (!Object.hasOwn(entry, String(key))) node.delete(key);
  for (const [key, value] of Object.entries(entry)) change(document, node, key, value);
  return written(document, text, entry.name);
}

/** What is as it was stays as it was written; what changes keeps its comment, and a list its brackets. */
function change(document: Document, node: YAMLMap, key: string, value: unknown): void {
  const before = node.get(key, true);
  if (isNode(before) && isDeepStrictEqual(before.toJS(document), value)) return;
  const made = document.createNode(value);
  if (isNode(before)) {
    made.comment = before.comment ?? null;
    made.commentBefore = before.commentBefore ?? null;
    if (isCollection(made) && isCollection(before)) made.flow = before.flow ?? false;
  }
  node.set(key, made);
}

/** The text without the entry of that name; undefined when it has none. */
export function withoutEntry(text: string, name: string): string | undefined {
  const { document } = readYaml(text);
  const index = namedAt(text, name);
  if (index === undefined) return undefined;
  document.deleteIn(['webhooks', index]);
  return written(document, text, name);
}

/** The document as text, in which the entries but the one that changed, and the ends of lines, are as they were. */
function written(document: Document, text: string, changed: unknown): string {
  const made = document.toString(asWritten);
  const before = placesIn(text);
  let kept = made;
  // From the end on, so that the places before stay.
  for (const [name, place] of [...placesIn(made)].reverse()) {
    const was = before.get(name);
    if (name === changed || was?.column !== place.column) continue;
    kept = kept.slice(0, place.from) + text.slice(was.from, was.to) + kept.slice(place.to);
  }
  const same = isReadable(kept) && isDeepStrictEqual(readYaml(kept).value, readYaml(made).value);
  const whole = same ? kept : made;
  return text.includes('\r\n') ? whole.replaceAll(/\r?\n/g, '\r\n') : whole;
}

function isReadable(text: string): boolean {
  try {
    return readYaml(text) !== undefined;
  } catch {
    return false;
  }
}

/** Where each entry stands, by its name. */
function placesIn(text: string): Map<unknown, { from: number; to: number; column: number }> {
  const list = readYaml(text).document.get('webhooks', true);
  const places = new Map<unknown, { from: number; to: number; column: number }>();
  for (const node of isSeq(list) ? list.items : []) {
    if (!isMap(node) || !node.range) continue;
    const [from, to] = node.range;
    places.set(node.get('name'), { from, to, column: from - text.lastIndexOf('\n', from - 1) });
  }
  return places;
}

function indexOf(text: string, name: unknown): number | undefined {
  const named = namedAt(text, name);
  if (named !== undefined || name !== robotName) return named;
  return found(text, each => each.kind === 'chatrobot' || each.kind === 'wecom');
}

const namedAt = (text: string, name: unknown): number | undefined => found(text, each => each.name === name);

function found(text: string, wanted: (entry: Record<string, unknown>) => boolean): number | undefined {
  const { webhooks } = (readYaml(text).value ?? {}) as { webhooks?: Record<string, unknown>[] };
  const index = webhooks?.findIndex(wanted) ?? -1;
  return index < 0 ? undefined : index;
}
