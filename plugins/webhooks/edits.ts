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
    if (!isSeq(document.getIn(['webhooks']))) document.setIn(['webhooks'], document.createNode([]));
    document.addIn(['webhooks'], document.createNode(entry));
    return document.toString(asWritten);
  }
  const node = document.getIn(['webhooks', index]);
  if (!isMap(node)) throw new Error(`entry ${index} of webhooks is no mapping`);
  for (const { key } of [...node.items]) if (!Object.hasOwn(entry, String(key))) node.delete(key);
  for (const [key, value] of Object.entries(entry)) change(document, node, key, value);
  return document.toString(asWritten);
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
  return document.toString(asWritten);
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
